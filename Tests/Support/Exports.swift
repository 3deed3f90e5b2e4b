// A test that drives engines, peers or random inputs names one module.
@_exported public import EnginePair
@_exported public import LabPeers
@_exported public import LinkModel
