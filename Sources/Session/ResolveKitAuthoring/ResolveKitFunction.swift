/// A tool written as one typed method: a struct with exactly one `perform(…) async throws`, made complete by
/// ``ResolveKit(name:description:timeout:requiresApproval:)``.
///
/// The struct is made again for each call, by its initializer without arguments. What `perform` takes is the tool's
/// input, what it returns is its result; a `ResolveKitFunctionContext` among its parameters is passed through and is
/// no part of the input.
public protocol ResolveKitFunction {}
