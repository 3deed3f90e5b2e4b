import Hummingbird

/// The contexts that the routes take: any that Hummingbird makes.
typealias BackendContext = BasicRequestContext
