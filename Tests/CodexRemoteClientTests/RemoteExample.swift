import CodexRemoteClient

func ask(_ words: String, code: String) async throws {
  let host = try await RemotePairing(code: code).pair(deviceName: "laptop")
  let store = RemoteHostStore()
  try await store.keep(host)
  let client = try RemoteClient(host: host, store: store)
  let chat = await RemoteChat(client: client, chatID: try await client.newChat().id)
  let updates = chat.updates()
  await chat.open()
  await chat.send(words)
  for await update in updates {
    switch update {
    case .approvalNeeded(let approval): await chat.decide(approval.id, .decline)
    case .turnEnded: return await chat.close()
    default: continue
    }
  }
}
