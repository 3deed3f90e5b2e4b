import CodexRemoteContract
import ResolveKitCore
import Testing

struct LaneEventTests {
  /// It stands beside the parameters, which are cut.
  @Test func aThreadsNameThatIsNoIDIsNotPassedOn() {
    func thread(_ count: Int) -> JSONValue { .string(String(repeating: "t", count: count)) }
    for params in [["threadId": thread(640)], ["thread": ["id": thread(640)]]] as [JSONObject] {
      #expect(LaneEvent.thread(of: params)?.utf8.count == 640)
    }
    for params in [["threadId": thread(641)], ["thread": ["id": thread(641)]], [:]] as [JSONObject] {
      #expect(LaneEvent.thread(of: params) == nil)
    }
  }
}
