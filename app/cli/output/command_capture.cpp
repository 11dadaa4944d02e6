#include "app/cli/output/command_capture.h"

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr std::size_t MostMessages = 100;

/// Returns the value by which rows are sorted. Empty cells come last.
double sortValue(const Cell& cell)
{
    switch (cell.kind) {
    case Cell::Kind::Integer:
    case Cell::Kind::Time:
    case Cell::Kind::Length: return double(cell.number);
    case Cell::Kind::Real: return cell.value;
    default: return -1e300;
    }
}

} // namespace

CommandCapture::CommandCapture(CaptureLimits limits, std::stop_token stop)
    : m_limits(std::move(limits))
    , m_stop(std::move(stop))
{
}

CommandCapture* CommandCapture::current() { return dynamic_cast<CommandCapture*>(outputReceiver()); }

OutputReceiver::RowForm CommandCapture::beginTable(const std::vector<std::string>& columns, const TimeStyle& times, bool)
{
    const auto found = std::ranges::find(columns, m_limits.sortedBy);
    m_sortColumn = m_limits.sortedBy.empty() || found == columns.end() ? SIZE_MAX : std::size_t(found - columns.begin());
    m_tables.push_back({columns, {}, 0, times});
    return RowForm::Cells;
}

void CommandCapture::row(const std::vector<Cell>& cells)
{
    CapturedTable& table = m_tables.back();
    ++table.allRows;
    const bool isSorted = m_sortColumn < cells.size();
    if (!isSorted && table.rows.size() >= m_limits.mostRows)
        return;
    table.rows.push_back(cells);
    if (isSorted && table.rows.size() >= 2 * m_limits.mostRows + 100)
        keepLargest();
}

void CommandCapture::endTable()
{
    if (m_sortColumn != SIZE_MAX)
        keepLargest();
}

/// Sorts the rows of the last table and drops all but the largest. Rows with equal values keep their order.
void CommandCapture::keepLargest()
{
    std::vector<std::vector<Cell>>& rows = m_tables.back().rows;
    std::ranges::stable_sort(rows, std::ranges::greater(), [this](const auto& cells) { return sortValue(cells[m_sortColumn]); });
    rows.resize(std::min(rows.size(), m_limits.mostRows));
}

bool CommandCapture::output(std::string_view text)
{
    std::string& target = m_tables.empty() ? m_text : m_footnotes;
    target += text.substr(0, m_limits.mostText - std::min(m_limits.mostText, target.size()));
    return true;
}

void CommandCapture::warning(const std::string& what)
{
    if (m_messages.size() < MostMessages && std::ranges::find(m_messages, what) == m_messages.end())
        m_messages.push_back(what);
}

void CommandCapture::failed(const Error& error)
{
    if (m_failure.empty())
        m_failure = error.what;
    m_hasRunOutOfMemory = m_hasRunOutOfMemory || error.kind == Error::Kind::Full;
    if (std::ranges::find(m_messages, error.what) == m_messages.end())
        m_messages.push_back(error.what);
}

std::string CommandCapture::failure() const { return m_failure.empty() && !m_messages.empty() ? m_messages.back() : m_failure; }

} // namespace helio
