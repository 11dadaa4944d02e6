#pragma once

#include "core/store/file/spool.h"
#include "core/store/sampling/sample_blocks.h"

#include <memory>
#include <vector>

namespace helio {

/// Collects samples on the write side: blocks of them in a file, once they are many.
///
/// One thread. Memory: 4096 samples a kind, a megabyte of blocks. Errors: where the file fails, memory takes
/// its place.
class SampleRecorder final : public SampleSink {
public:
    using Out = Spool::Out;

    explicit SampleRecorder(Spool::MakeFile makeFile)
        : m_data(std::move(makeFile))
    {
    }

    SampleKindId addKind(SampleKind kind) override;
    void add(const HostSample& sample) override;

    bool isEmpty() const { return m_kinds.empty(); }

    /// The samples so far, whose stacks are below `stackNodes`; null where there are none.
    std::shared_ptr<const SampleSet> picture(std::size_t stackNodes) const;

    /// No more will come: what is in open blocks is closed. Before the following.
    void finish();

    void writeKinds(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeData(const Out& out) const;

private:
    void close(std::size_t kind);
    SampleBlockEntry entryOf(std::size_t kind, std::span<const HostSample> samples, std::span<const std::byte> bytes,
                             std::uint64_t offset) const;

    std::vector<SampleKind> m_kinds;
    std::vector<std::vector<HostSample>> m_open; ///< By kind: those of the next block.
    std::vector<SampleBlockEntry> m_blocks;
    Spool m_data; ///< The bytes of blocks.
};

} // namespace helio
