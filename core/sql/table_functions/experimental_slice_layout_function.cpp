#include "core/sql/engine/time_table.h"
#include "core/sql/model/slice_layout.h"
#include "core/sql/tables/slice_columns.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace helio::sql {
namespace {

struct LayoutRow {
    Timestamp ts;
    SliceRow slice;
    std::uint32_t depth = 0;
};

/// An outermost slice with all slices in it.
struct SliceGroup {
    Timestamp begin;
    std::optional<Timestamp> end;
    std::uint32_t levels = 1;
};

/// Divides slices, which come in time order, into groups. Numbers the groups in the order of their begins.
class SliceGroups {
public:
    explicit SliceGroups(const Slices& slices)
        : m_slices(slices)
    {
    }

    /// Returns the number of a slice's group.
    std::size_t groupOf(const SliceRow& slice)
    {
        const auto [it, isFirst] = m_outermost.try_emplace(m_slices.trackIdOf(slice), Outermost{slice, m_count});
        if (!isFirst && m_slices.isDescendant(slice, it->second.slice))
            return it->second.group;
        it->second = {slice, m_count};
        return m_count++;
    }

private:
    struct Outermost {
        SliceRow slice;
        std::size_t group = 0;
    };

    const Slices& m_slices;
    std::map<std::int64_t, Outermost> m_outermost; ///< Last outermost slice of each track.
    std::size_t m_count = 0;
};

/// Returns the ids in a text such as "1,2,3". Parts that are no ids are ignored.
std::set<std::int64_t> trackIds(const std::string& text)
{
    std::set<std::int64_t> ids;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::int64_t id = 0;
        const auto [stop, error] = std::from_chars(text.data() + std::min(text.find_first_not_of(' ', begin), end), text.data() + end, id);
        if (error == std::errc())
            ids.insert(id);
        begin = end + 1;
    }
    return ids;
}

/// experimental_slice_layout(filter_track_ids): the slices of some tracks, with depths at which they do not overlap.
class LaidOutSlices final : public TimeTable<LayoutRow> {
public:
    explicit LaidOutSlices(const Recording& recording)
        : m_recording(recording)
        , m_columns{argument("filter_track_ids", ColumnType::Text)}
    {
        m_columns.insert(m_columns.end(), sliceColumns().begin(), sliceColumns().end());
        m_columns.push_back({"layout_depth"});
    }

    std::span<const Column> columns() const override { return m_columns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.slices->total()); }

private:
    Rows rows(const Filter& filter) const override
    {
        const Value* const text = filter.equalValue(0);
        const auto ids =
            text && std::holds_alternative<std::string>(*text) ? trackIds(std::get<std::string>(*text)) : std::set<std::int64_t>();
        if (ids.empty())
            return {};
        const TimeRange all = rangeOfSlices(m_recording);
        const auto depths = groupDepths(ids, filter.stop());
        const auto collect = [this, ids, depths, groups = std::make_shared<SliceGroups>(*m_recording.slices),
                              read = reader(ids, true, filter.stop())](TimeRange part, std::vector<LayoutRow>& out) {
            std::vector<SliceRow> slices;
            read(part, slices);
            std::ranges::stable_sort(slices, {}, &SliceRow::ts);
            for (const SliceRow& slice : slices)
                if (const std::size_t group = groups->groupOf(slice); group < depths->size()) // After a stop request, groups are missing.
                    out.push_back({slice.ts, slice, (*depths)[group] + m_recording.slices->depthOf(slice)});
        };
        return {all, all, m_recording.slices->total(), collect, filter.stop()};
    }

    /// Returns a function for RowsByTime that reads the slices of the tracks.
    std::function<void(TimeRange, std::vector<SliceRow>&)> reader(const std::set<std::int64_t>& ids, bool isNumbered,
                                                                  const std::stop_token& stop) const
    {
        return [this, ids, read = m_recording.slices->reader({*ids.begin(), *ids.rbegin()}, isNumbered, stop)](TimeRange part,
                                                                                                               std::vector<SliceRow>& out) {
            read(part, out);
            std::erase_if(out, [&](const SliceRow& slice) { return !ids.contains(m_recording.slices->trackIdOf(slice)); });
        };
    }

    /// Returns the depth of the first level of each group of slices.
    /// Memory: 32 bytes for each group.
    std::shared_ptr<const std::vector<std::uint32_t>> groupDepths(const std::set<std::int64_t>& ids, const std::stop_token& stop) const
    {
        const Slices& slices = *m_recording.slices;
        const TimeRange all = rangeOfSlices(m_recording);
        std::vector<SliceGroup> groups;
        SliceGroups numbers(slices);
        for (RowsByTime<SliceRow> rows(all, all, slices.total(), reader(ids, false, stop), stop); rows.next();) {
            const SliceRow& slice = rows.row();
            const std::size_t number = numbers.groupOf(slice);
            if (number == groups.size())
                groups.push_back({slice.ts, slice.end});
            groups[number].levels = std::max(groups[number].levels, slices.depthOf(slice) + 1);
        }
        auto depths = std::make_shared<std::vector<std::uint32_t>>();
        SliceLayout layout;
        for (const SliceGroup& group : groups)
            depths->push_back(layout.place(group.begin, group.end, group.levels));
        return depths;
    }

    void write(const LayoutRow& row, int column, ValueSink sink) const override
    {
        constexpr int FirstColumn = 1;
        if (column == static_cast<int>(m_columns.size()) - 1)
            sink.integer(row.depth);
        else
            writeSlice(m_recording, row.slice, column - FirstColumn, sink);
    }

    Recording m_recording;
    std::vector<Column> m_columns;
};

} // namespace

extern const TableFactory experimentalSliceLayoutFunction;
const TableFactory experimentalSliceLayoutFunction{"experimental_slice_layout", [](const Recording& recording) -> std::unique_ptr<Table> {
                                                       return std::make_unique<LaidOutSlices>(recording);
                                                   }};

} // namespace helio::sql
