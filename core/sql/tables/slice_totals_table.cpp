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
    std::unique_ptr<Cursor> open() const override { return std::make_unique<TotalsCursor>(*this); }

private:
    using Sums = std::vector<SliceSum>;

    class TotalsCursor final : public Cursor {
    public:
        explicit TotalsCursor(const SliceTotals& table)
            : m_table(table)
            , m_steps(table.m_slices->sumSteps())
        {
        }

        void start(const Filter& filter) override
        {
            m_stop = filter.stop();
            m_step = m_table.m_known ? m_steps.size() : 0;
            m_count = 0;
            m_sums = m_table.m_known ? m_table.m_known : std::make_shared<Sums>();
            m_keepsAll = true;
            m_at = 0;
            fill();
        }
        bool isAtEnd() const override { return m_at >= m_sums->size(); }
        void next() override
        {
            ++m_at;
            ++m_count;
            fill();
        }
        std::int64_t rowId() const override { return m_count; }

        void write(int column, ValueSink sink) override
        {
            const Slices& slices = *m_table.m_slices;
            const SliceRow& slice = (*m_sums)[m_at].slice;
            const DurationSum& sum = (*m_sums)[m_at].sum;
            switch (column) {
            case TotalsTrack: return sink.integer(slices.trackIdOf(slice));
            case TotalsName: return sink.lastingTextOrNull(slices.nameOf(slice));
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
            while (m_at >= m_sums->size() && m_step < m_steps.size() && !m_stop.stop_requested()) {
                const std::size_t count = std::min(StepsAtOnce, m_steps.size() - m_step);
                std::vector<Sums> found(count);
                std::atomic<std::size_t> next = 0;
                parallelFor(usefulThreadCount(std::min(MostThreads, count)), [&](std::size_t) {
                    for (std::size_t i = next++; i < count; i = next++)
                        m_table.m_slices->appendSums(m_steps[m_step + i], found[i], m_stop);
                });
                if (m_stop.stop_requested())
                    return;
                m_step += count;
                if (m_sums->size() > MostKept) {
                    m_keepsAll = false;
                    m_sums->clear();
                    m_at = 0;
                }
                for (Sums& some : found) {
                    m_sums->insert(m_sums->end(), some.begin(), some.end());
                    some = {};
                }
                if (m_keepsAll && m_step == m_steps.size() && m_sums->size() <= MostKept)
                    m_table.m_known = m_sums;
            }
        }

        static constexpr std::size_t StepsAtOnce = 16; ///< Steps whose sums are in memory together.
        static constexpr std::size_t MostThreads = 8;

        const SliceTotals& m_table;
        std::vector<Slices::SumStep> m_steps;
        std::size_t m_step = 0; ///< Number of the steps whose sums were computed.
        std::shared_ptr<Sums> m_sums = std::make_shared<Sums>();
        bool m_keepsAll = true; ///< True if `m_sums` has the sums of all steps so far, not only of the last ones.
        std::size_t m_at = 0;
        std::int64_t m_count = 0; ///< Number of rows before the current one.
        std::stop_token m_stop;
    };

    static constexpr std::size_t MostKept = 200'000; ///< Largest number of sums that are kept for further queries.

    std::shared_ptr<const Slices> m_slices;
    /// All sums, so that joins, which may read the table once for each row of another one, compute them once; null before the first query
    /// was complete, and if there are more than MostKept.
    mutable std::shared_ptr<Sums> m_known;
};

} // namespace

extern const TableFactory sliceTotalsTable;
const TableFactory sliceTotalsTable{
    "slice_totals", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SliceTotals>(recording); }};

} // namespace helio::sql
