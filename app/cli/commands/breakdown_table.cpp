#include "app/cli/commands/breakdown_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {
namespace {

/// Returns the cell for the share of `part` in `whole`, with four decimals; an empty cell if `whole` is 0.
Cell shareOf(Duration part, Duration whole)
{
    if (whole == Duration::zero())
        return {};
    const double share = double(part.count()) / double(whole.count());
    return Cell::real(share, fmt::format("{:.4f}", share));
}

Cell ratioOf(const BreakdownLine& line)
{
    const auto number = ratio(line.a, line.b);
    return number ? Cell::real(*number, fmt::format("{:.4g}", *number)) : Cell();
}

} // namespace

std::optional<double> ratio(Duration a, Duration b)
{
    return a > Duration::zero() ? std::optional(double(b.count()) / double(a.count())) : std::nullopt;
}

void writeBreakdown(const Breakdown& breakdown, OutputFormat format, Output& output, const std::function<void(JsonWriter&)>& head)
{
    std::vector<std::string> columns{"state", "detail", "a_ns", "b_ns", "difference_ns", "ratio", "part_of_difference"};
    if (format != OutputFormat::Text)
        columns.insert(columns.end(), {"share_a", "share_b"});
    TableWriter table(output, format, std::move(columns), TimeStyle(), head);
    const auto write = [&](const BreakdownLine& line) {
        table.row({line.state.name, line.detail, line.a, line.b, line.difference(), ratioOf(line),
                   shareOf(line.difference(), breakdown.b - breakdown.a), shareOf(line.a, breakdown.a), shareOf(line.b, breakdown.b)});
    };
    std::ranges::for_each(breakdown.lines, write);
    write({{"sum"}, {}, breakdown.a, breakdown.b});
}

} // namespace helio
