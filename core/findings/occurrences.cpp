#include "core/findings/occurrences.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace helio {

Duration Occurrences::covered() const
{
    std::vector<TimeRange> ranges;
    ranges.reserve(m_all.size());
    for (const Occurrence& it : m_all)
        ranges.push_back(it.range);
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    Duration covered{};
    Timestamp until = Timestamp::min();
    for (const TimeRange& range : ranges) {
        if (range.end <= until)
            continue;
        covered += range.end - std::max(range.begin, until);
        until = range.end;
    }
    return covered;
}

Duration Occurrences::total() const
{
    Duration total{};
    for (const Occurrence& it : m_all)
        total = sumOf(total, it.range.duration());
    return total;
}

std::vector<std::int64_t> Occurrences::lengths() const
{
    std::vector<std::int64_t> lengths;
    lengths.reserve(m_all.size());
    for (const Occurrence& it : m_all)
        lengths.push_back(it.range.duration().count());
    return lengths;
}

const Occurrences::Occurrence& Occurrences::longest() const
{
    return *std::ranges::max_element(m_all, {}, [](const Occurrence& it) { return it.range.duration(); });
}

void Occurrences::fill(Finding& finding, const std::function<std::string(const Occurrence&)>& describe) const
{
    finding.explained = covered();
    finding.occurrences = count();
    finding.range = m_all.front().range;
    std::map<TrackRef, Duration> byRow;
    for (const Occurrence& it : m_all) {
        finding.range = {std::min(finding.range.begin, it.range.begin), std::max(finding.range.end, it.range.end)};
        if (it.row.isValid())
            byRow[it.row] += it.range.duration();
    }
    std::vector<std::pair<TrackRef, Duration>> rows(byRow.begin(), byRow.end());
    std::ranges::stable_sort(rows, std::ranges::greater(), &std::pair<TrackRef, Duration>::second);
    finding.rows.clear();
    for (const auto& [row, total] : rows)
        finding.rows.push_back(row);

    std::vector<Occurrence> kept = m_all;
    std::ranges::stable_sort(kept, std::ranges::greater(), [](const Occurrence& it) { return it.range.duration(); });
    kept.resize(std::min(kept.size(), MostEvidence));
    std::ranges::stable_sort(kept, {}, [](const Occurrence& it) { return it.range.begin; });
    finding.evidence.clear();
    for (const Occurrence& it : kept)
        finding.evidence.push_back({it.range, it.row, describe(it)});
}

std::string shortDuration(Duration length)
{
    constexpr std::pair<double, const char*> Units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};
    const auto ns = static_cast<double>(length.count());
    for (const auto& [unit, name] : Units) {
        const double value = ns / unit;
        if (value < 0.9995)
            continue;
        char text[48];
        std::snprintf(text, sizeof text, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
        std::string digits = text;
        if (digits.find('.') != std::string::npos) {
            digits.erase(digits.find_last_not_of('0') + 1);
            if (digits.back() == '.')
                digits.pop_back();
        }
        return digits + ' ' + name;
    }
    return std::to_string(length.count()) + " ns";
}

std::string countText(std::uint64_t count, std::string_view singular, std::string_view plural)
{
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;)
        text.insert(at -= 3, "\u2009");
    text += ' ';
    if (count == 1)
        return text += singular;
    text += plural.empty() ? singular : plural;
    return plural.empty() ? text + 's' : text;
}

std::string shareText(double share)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %%", share < 0.0995 ? 1 : 0, 100 * share);
    return text;
}

} // namespace helio
