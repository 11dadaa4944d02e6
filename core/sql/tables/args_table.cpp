#include "core/query/rows/facts.h"
#include "core/sql/engine/rows_by_time.h"
#include "core/sql/model/argument_sets.h"
#include "core/sql/model/arguments.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum ArgumentColumn : int {
    ArgumentId,
    ArgumentSet,
    ArgumentFlatKey,
    ArgumentKey,
    ArgumentInt,
    ArgumentString,
    ArgumentReal,
    ArgumentType,
    ArgumentDisplay
};

constexpr std::array ArgumentColumns{
    Column{"id"},
    Column{"arg_set_id", ColumnType::Integer, Search::Equal},
    Column{"flat_key", ColumnType::Text},
    Column{"key", ColumnType::Text},
    Column{"int_value"},
    Column{"string_value", ColumnType::Text},
    Column{"real_value", ColumnType::Real},
    Column{"value_type", ColumnType::Text},
    Column{"display_value", ColumnType::Text},
};

/// The fields of all events and slices. A query for one set decodes one event; a query without `arg_set_id` decodes the whole recording.
class ArgumentTable final : public Table {
public:
    explicit ArgumentTable(const Recording& recording)
        : m_recording(recording)
        , m_arguments(recording.slices)
    {
    }

    std::span<const Column> columns() const override { return ArgumentColumns; }
    double estimatedRows() const override { return static_cast<double>(m_arguments.events()) * 8; }
    std::unique_ptr<Cursor> open() const override { return std::make_unique<ArgumentRows>(*this); }

private:
    class ArgumentRows final : public Cursor {
    public:
        explicit ArgumentRows(const ArgumentTable& table)
            : m_table(table)
        {
        }

        void start(const Filter& filter) override
        {
            m_stop = filter.stop();
            m_at = 0;
            m_nextEvent = m_table.m_arguments.events();
            m_slices = {};
            m_isSingle = true;
            if (const auto set = filter.equal(ArgumentSet)) {
                m_rows = m_table.m_arguments.of(*set, m_stop);
                return;
            }
            m_isSingle = false;
            m_rows.clear();
            m_nextEvent = 0;
            const auto& slices = *m_table.m_recording.slices;
            TimeRange all = rangeOf(m_table.m_recording.timeline());
            all.end += Duration(1);
            m_slices = RowsByTime<SliceRow>(all, all, slices.total(), slices.reader({}, true, m_stop), m_stop);
            moveToFilledSet();
        }
        bool isAtEnd() const override { return m_at >= m_rows.size(); }
        void next() override
        {
            ++m_at;
            if (m_at >= m_rows.size() && !m_isSingle)
                moveToFilledSet();
        }
        std::int64_t rowId() const override { return m_rows[m_at].set * MostArguments + static_cast<std::int64_t>(m_at); }

        void write(int column, ValueSink sink) override
        {
            const ArgumentRow& row = m_rows[m_at];
            switch (column) {
            case ArgumentId: return sink.integer(rowId());
            case ArgumentSet: return sink.integer(row.set);
            case ArgumentFlatKey: return sink.text(row.flatKey);
            case ArgumentKey: return sink.text(row.key);
            case ArgumentInt:
                if (const auto* value = std::get_if<std::int64_t>(&row.value))
                    sink.integer(*value);
                return;
            case ArgumentString:
                if (const auto* value = std::get_if<std::string>(&row.value))
                    sink.text(*value);
                return;
            case ArgumentReal:
                if (const auto* value = std::get_if<double>(&row.value))
                    sink.real(*value);
                return;
            case ArgumentType: return sink.text(row.type);
            case ArgumentDisplay: return sink.text(row.display);
            default: return;
            }
        }

    private:
        static constexpr std::int64_t MostArguments = 4'096; ///< Ids of arguments are unique for up to so many in a set.

        /// Moves to the first argument of the next set that has any: of the events, then of the slices.
        void moveToFilledSet()
        {
            m_rows.clear();
            m_at = 0;
            const Slices& slices = *m_table.m_recording.slices;
            while (m_rows.empty() && !m_stop.stop_requested()) {
                if (m_nextEvent < m_table.m_arguments.events())
                    m_rows = m_table.m_arguments.of(argumentSetOf(ArgumentOwner::Event, static_cast<std::int64_t>(m_nextEvent++)), m_stop);
                else if (m_slices.next())
                    m_rows = slices.mayHaveArguments(m_slices.row())
                        ? m_table.m_arguments.of(argumentSetOf(ArgumentOwner::Slice, slices.idOf(m_slices.row())), m_stop)
                        : std::vector<ArgumentRow>();
                else
                    return;
            }
        }

        const ArgumentTable& m_table;
        std::stop_token m_stop;
        std::vector<ArgumentRow> m_rows; ///< Arguments of the current set.
        std::size_t m_at = 0;
        std::uint64_t m_nextEvent = 0; ///< Event whose arguments follow.
        RowsByTime<SliceRow> m_slices; ///< Slices whose arguments follow those of the events.
        bool m_isSingle = true; ///< True if the query wants one set only.
    };

    Recording m_recording;
    mutable Arguments m_arguments;
};

} // namespace

extern const TableFactory argsTable;
const TableFactory argsTable{
    "args", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<ArgumentTable>(recording); }};

} // namespace helio::sql
