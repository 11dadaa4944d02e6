#pragma once

#include "core/store/counters/counter_blocks.h"
#include "core/store/counters/counter_series_list.h"
#include "core/store/file/spool.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace helio {

/// Collects points on the write side, and writes them block by block into a file, once they are many.
///
/// One thread. Memory: at most a million points of 16 bytes, 80 bytes a block, a megabyte of blocks. Errors: where the file fails, memory
/// takes its place.
class CounterRecorder final : public CounterPointSink {
public:
    using Out = Spool::Out;

    explicit CounterRecorder(Spool::MakeFile makeFile)
        : m_data(std::move(makeFile))
    {
    }

    bool isEmpty() const { return m_list.all().empty(); }

    /// The points so far; null where there are no series. `tracks`: how many there are.
    std::shared_ptr<const CounterSet> picture(std::size_t tracks) const;

    /// No more will come: closes all blocks. Before the following.
    void finish() { closeAll(); }

    void writeSeries(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeLevels(const Out& out) const;
    void writeData(const Out& out) const { m_data.copyTo(out); }

protected:
    void take(CounterSeriesId series, const CounterPoint& point) override;

private:
    /// Of one series.
    struct Own {
        std::vector<CounterPoint> open; ///< Those of the next block.
        std::vector<CounterEntry> blocks;
    };

    CounterEntry encoded(std::size_t series, ByteWriter& bytes, std::uint64_t offset) const;
    std::vector<CounterEntry> levelsOf(std::size_t series, std::span<const CounterEntry> blocks) const;
    void close(std::size_t series);
    void closeAll();

    std::vector<Own> m_own; ///< By series; those without points may be missing at the end.
    std::size_t m_openCount = 0;
    Spool m_data; ///< The bytes of blocks.
};

} // namespace helio
