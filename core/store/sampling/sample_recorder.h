#pragma once

#include "core/store/file/spool.h"
#include "core/store/sampling/sample_blocks.h"

#include <memory>
#include <vector>

namespace helio {

/// Collects the samples of a store that is being built, and writes them to a file in blocks if they are many.
///
/// Threads: to be used by one thread.
/// Cost: memory for 4096 samples of each kind, and 1 MB of blocks.
/// Errors: if the file fails, the blocks stay in memory.
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

    /// Returns the samples so far, with stacks below `stackNodes`; nullptr if there are none.
    std::shared_ptr<const SampleSet> picture(std::size_t stackNodes) const;

    /// Closes all open blocks. No samples may be added afterwards. Must be called before the write functions.
    void finish();

    void writeKinds(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeData(const Out& out) const;

private:
    void close(std::size_t kind);
    SampleBlockEntry entryOf(std::size_t kind, std::span<const HostSample> samples, std::span<const std::byte> bytes,
                             std::uint64_t offset) const;

    std::vector<SampleKind> m_kinds;
    std::vector<std::vector<HostSample>> m_open; ///< Samples of the next block, by kind.
    std::vector<SampleBlockEntry> m_blocks;
    Spool m_data; ///< Bytes of the closed blocks.
};

} // namespace helio
