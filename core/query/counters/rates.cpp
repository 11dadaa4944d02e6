#include "core/query/counters/rates.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

double seconds(Duration d) { return double(d.count()) / 1e9; }

/// How much more a total is than before; exact for integers, however large they are.
double growth(CounterNumber number, CounterValue from, CounterValue to)
{
    if (number == CounterNumber::Real)
        return to.real() - from.real();
    const bool hasGrown = to.integer() >= from.integer();
    const auto a = static_cast<std::uint64_t>(from.integer());
    const auto b = static_cast<std::uint64_t>(to.integer());
    return hasGrown ? double(b - a) : -double(a - b);
}

class Rates {
public:
    Rates(const SeriesColumns& columns, CounterNumber number)
        : m_columns(columns.columns)
        , m_number(number)
        , m_before(columns.before)
        , m_after(columns.after)
    {
    }

    std::vector<RateStretch> take()
    {
        if (m_columns.empty())
            return m_before && m_after ? between() : std::vector<RateStretch>();
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            addGap(i);
            addColumn(i);
        }
        addGap(m_columns.size());
        return std::move(m_rates);
    }

private:
    std::vector<RateStretch> between()
    {
        add({m_before->time, m_after->time}, growth(m_number, m_before->value, m_after->value));
        return std::move(m_rates);
    }

    std::optional<SeriesPoint> lastBefore(std::size_t column) const { return column == 0 ? m_before : m_columns[column - 1].last; }
    std::optional<SeriesPoint> firstFrom(std::size_t column) const
    {
        return column == m_columns.size() ? m_after : std::optional(m_columns[column].first);
    }

    /// What the total grows by from `from` to `to` in a part of that time.
    double part(const std::optional<SeriesPoint>& from, const std::optional<SeriesPoint>& to, TimeRange of) const
    {
        if (!from || !to || to->time <= from->time)
            return 0;
        const double share = std::clamp(seconds(of.duration()) / seconds(to->time - from->time), 0.0, 1.0);
        return share * growth(m_number, from->value, to->value);
    }

    /// Between the columns before and at an index.
    void addGap(std::size_t index)
    {
        const auto from = lastBefore(index);
        const auto to = firstFrom(index);
        if (!from || !to)
            return;
        const TimeRange range{index == 0 ? from->time : std::max(from->time, m_columns[index - 1].range.end),
                              index == m_columns.size() ? to->time : std::min(to->time, m_columns[index].range.begin)};
        if (!range.isEmpty())
            add(range, part(from, to, range));
    }

    void addColumn(std::size_t index)
    {
        const SeriesColumn& column = m_columns[index];
        const auto before = lastBefore(index);
        const auto after = firstFrom(index + 1);
        // All that was counted between two points of one time is of that moment.
        const double head = before && before->time == column.first.time
            ? growth(m_number, before->value, column.first.value)
            : part(before, column.first, {column.range.begin, column.first.time});
        const double tail = part(column.last, after, {column.last.time, column.range.end});
        const double own = growth(m_number, column.first.value, column.last.value);
        const bool isKnown = before || after || own != 0;
        if (isKnown && head >= 0 && tail >= 0 && onlyGrows(column))
            add(column.range, head + own + tail);
    }

    /// As far as a column knows: nothing in it is below its first value, or above its last.
    bool onlyGrows(const SeriesColumn& column) const
    {
        const auto number = [this](CounterValue value) { return value.number(m_number); };
        return number(column.first.value) <= number(column.last.value) && number(column.least) >= number(column.first.value)
            && number(column.most) <= number(column.last.value);
    }

    void add(TimeRange range, double growth)
    {
        if (growth >= 0)
            m_rates.push_back({range, growth / seconds(range.duration())});
    }

    std::span<const SeriesColumn> m_columns;
    CounterNumber m_number;
    std::optional<SeriesPoint> m_before;
    std::optional<SeriesPoint> m_after;
    std::vector<RateStretch> m_rates;
};

} // namespace

std::vector<RateStretch> ratesOf(const SeriesColumns& columns, CounterNumber number) { return Rates(columns, number).take(); }

} // namespace helio
