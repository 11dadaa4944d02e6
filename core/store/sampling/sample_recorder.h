#pragma once

#include "core/store/file/spool.h"
#include "core/store/sampling/sample_blocks.h"

#include <memory>
#include <vector>

namespace helio {

/// Collects the samples of a store that is being built. If there are many, they are written to a file in blocks.
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

    /// Returns a snapshot of the samples recorded so far; nullptr if there are no kinds of samples, or if the blocks cannot be read back.
    /// `stackNodes`: number of stack nodes recorded so far; a sample with a stack index of `stackNodes` or more is damaged.
    std::shared_ptr<const SampleSet> picture(std::size_t stackNodes) const;

    /// Closes all open blocks; no samples may be added afterwards. Call it before writeKinds(), writeBlocks() and
    /// writeData().
    void finish();

    void writeKinds(const Out& out) const;
    void writeBlocks(const Out& out) const;
    [[nodiscard]] bool writeData(const Out& out) const; ///< Returns false as Spool::copyTo() does.

private:
    void close(std::size_t kind);
    SampleBlockEntry entryOf(std::size_t kind, std::span<const HostSample> samples, std::span<const std::byte> bytes,
                             std::uint64_t offset) const;

    std::vector<SampleKind> m_kinds;
    std::vector<std::vector<HostSample>> m_open; ///< Samples that are not yet in a block, by kind.
    std::vector<SampleBlockEntry> m_blocks;
    Spool m_data; ///< Bytes of the closed blocks.
};

} // namespace helio
