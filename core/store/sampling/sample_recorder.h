#pragma once

#include "core/store/file/spool.h"
#include "core/store/sampling/sample_blocks.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace helio {

/// Collects samples on the write side: blocks of them in a file, once they are many, and the tree of their stacks in memory.
///
/// One thread. Memory: 90 bytes a node of the tree, 4096 samples a kind, a megabyte of blocks. Errors: where the file fails, memory takes
/// its place.
class SampleRecorder final : public SampleSink {
public:
    using Out = Spool::Out;

    explicit SampleRecorder(Spool::MakeFile makeFile)
        : m_nodes(1)
        , m_data(std::move(makeFile))
    {
    }

    SampleKindId addKind(SampleKind kind) override;
    StackId stack(StackId caller, StackFrame frame) override;
    void add(const HostSample& sample) override;

    bool isEmpty() const { return m_kinds.empty(); }

    /// The samples so far; null where there are none.
    std::shared_ptr<const SampleSet> picture() const;

    /// No more will come: what is in open blocks is closed. Before the following.
    void finish();

    void writeKinds(const Out& out) const;
    void writeNodes(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeData(const Out& out) const;

private:
    struct NodeKey {
        std::uint64_t caller;
        std::uint64_t module; ///< And whether it is a return address.
        std::uint64_t address;
        bool operator==(const NodeKey&) const = default;
    };
    struct NodeHash {
        std::size_t operator()(const NodeKey& key) const;
    };

    void close(std::size_t kind);
    SampleBlockEntry entryOf(std::size_t kind, std::span<const HostSample> samples, std::span<const std::byte> bytes,
                             std::uint64_t offset) const;

    std::vector<SampleKind> m_kinds;
    std::vector<std::vector<HostSample>> m_open; ///< By kind: those of the next block.
    std::vector<StackNode> m_nodes;
    std::unordered_map<NodeKey, std::uint32_t, NodeHash> m_index;
    std::vector<SampleBlockEntry> m_blocks;
    Spool m_data; ///< The bytes of blocks.
};

} // namespace helio
