#pragma once

#include "core/store/counters/counter_blocks.h"
#include "core/store/counters/counter_series_list.h"
#include "core/store/file/spool.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace helio {

/// Collects the counter points of a store that is being built. If there are many points, they are written to a file block by block.
///
/// Threads: to be used by one thread.
/// Cost: memory for at most a million points of 16 bytes, 80 bytes per block, and 1 MB of blocks.
/// Errors: if the file fails, the blocks stay in memory.
class CounterRecorder final : public CounterPointSink {
public:
    using Out = Spool::Out;

    explicit CounterRecorder(Spool::MakeFile makeFile)
        : m_data(std::move(makeFile))
    {
    }

    bool isEmpty() const { return m_list.all().empty(); }

    /// Returns a snapshot of the points recorded so far; nullptr if there are no series, or if the blocks cannot be read back. `tracks` is
    /// the number of tracks in the store.
    std::shared_ptr<const CounterSet> picture(std::size_t tracks) const;

    /// Closes all blocks; no points may be added afterwards. Call it before writeSeries(), writeBlocks(), writeLevels() and writeData().
    void finish() { closeAll(); }

    void writeSeries(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeLevels(const Out& out) const;
    [[nodiscard]] bool writeData(const Out& out) const { return m_data.copyTo(out); } ///< Returns false as Spool::copyTo() does.

protected:
    void take(CounterSeriesId series, const CounterPoint& point) override;

private:
    /// Open points and closed blocks of one series.
    struct SeriesData {
        std::vector<CounterPoint> open; ///< Points that are not yet in a block.
        std::vector<CounterEntry> blocks;
    };

    CounterEntry encoded(std::size_t series, ByteWriter& bytes, std::uint64_t offset) const;
    std::vector<CounterEntry> levelsOf(std::size_t series, std::span<const CounterEntry> blocks) const;
    void close(std::size_t series);
    void closeAll();

    /// Data of each series, by CounterSeriesId; may be shorter than the list of series if the last series have no points.
    std::vector<SeriesData> m_seriesData;
    std::size_t m_openCount = 0;
    Spool m_data; ///< Bytes of the closed blocks.
};

} // namespace helio
