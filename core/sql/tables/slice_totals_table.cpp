#include "core/base/parallel_for.h"
#include "core/sql/engine/table.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace helio::sql {
namespace {

enum TotalsColumn : int { TotalsTrack, TotalsName, TotalsSlices, TotalsDur, TotalsShortest, TotalsLongest };

constexpr std::array TotalsColumns{Column{"track_id"},  Column{"name", ColumnType::Text}, Column{"slices"},
                                   Column{"total_dur"}, Column{"shortest_dur"},           Column{"longest_dur"}};

/// Number and durations of the slices of each track by name. A track and a name may have several rows.
class SliceTotals final : public Table {
public:
    explicit SliceTotals(const Recording& recording)
        : m_slices(recording.slices)
    {
    }

    std::span<const Column> columns() const override { return TotalsColumns; }
    double estimatedRows() const override { return 10'000; }
    std::unique_ptr<Cursor> open() const override { return std::make_unique<TotalsCursor>(*m_slices); }

private:
    class TotalsCursor final : public Cursor {
    public:
        explicit TotalsCursor(const Slices& slices)
            : m_slices(slices)
            , m_steps(slices.sumSteps())
        {
        }

        void start(const Filter& filter) override
        {
            m_stop = filter.stop();
            m_step = 0;
            m_count = 0;
            m_sums.clear();
            m_at = 0;
            fill();
        }
        bool isAtEnd() const override { return m_at >= m_sums.size(); }
        void next() override
        {
            ++m_at;
            ++m_count;
            fill();
        }
        std::int64_t rowId() const override { return m_count; }

        void write(int column, ValueSink sink) override
        {
            const SliceRow& slice = m_sums[m_at].slice;
            const DurationSum& sum = m_sums[m_at].sum;
            switch (column) {
            case TotalsTrack: return sink.integer(m_slices.trackIdOf(slice));
            case TotalsName: return sink.lastingTextOrNull(m_slices.nameOf(slice));
            case TotalsSlices: return sink.integer(static_cast<std::int64_t>(sum.count));
            case TotalsDur: return sink.integer(sum.total);
            case TotalsShortest: return sink.integer(sum.shortest);
            case TotalsLongest: return sink.integer(sum.longest);
            default: return;
            }
        }

    private:
        /// Computes the sums of the next steps, on all CPUs, if all sums so far were read.
        void fill()
        {
            while (m_at >= m_sums.size() && m_step < m_steps.size() && !m_stop.stop_requested()) {
                const std::size_t count = std::min(StepsAtOnce, m_steps.size() - m_step);
                std::vector<std::vector<SliceSum>> found(count);
                std::atomic<std::size_t> next = 0;
                parallelFor(usefulThreadCount(std::min(MostThreads, count)), [&](std::size_t) {
                    for (std::size_t i = next++; i < count; i = next++)
                        m_slices.appendSums(m_steps[m_step + i], found[i], m_stop);
                });
                m_step += count;
                m_at = 0;
                m_sums.clear();
                for (const std::vector<SliceSum>& some : found)
                    m_sums.insert(m_sums.end(), some.begin(), some.end());
            }
        }

        static constexpr std::size_t StepsAtOnce = 64; ///< Steps whose sums are in memory together.
        static constexpr std::size_t MostThreads = 8;

        const Slices& m_slices;
        std::vector<Slices::SumStep> m_steps;
        std::size_t m_step = 0; ///< Number of the steps whose sums were computed.
        std::vector<SliceSum> m_sums;
        std::size_t m_at = 0;
        std::int64_t m_count = 0; ///< Number of rows before the current one.
        std::stop_token m_stop;
    };

    std::shared_ptr<const Slices> m_slices;
};

} // namespace

extern const TableFactory sliceTotalsTable;
const TableFactory sliceTotalsTable{
    "slice_totals", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SliceTotals>(recording); }};

} // namespace helio::sql
