#include "widgets/docks/durations/leaks_view.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QLabel>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

namespace helio {

namespace {

/// Returns the source location of an allocation, e.g. "heap.cpp:117"; empty if unknown.
QString sourceOf(const HeapUse& use)
{
    if (use.file.empty())
        return {};
    const QString name = QString::fromStdString(std::filesystem::path(use.file).filename().string());
    return use.line > 0 ? QStringLiteral("%1:%2").arg(name).arg(use.line) : name;
}

/// Sums up the leaks of each function. If all source lines of a function are in one file, the file is kept.
std::vector<HeapUse> byFunction(const std::vector<HeapUse>& leaks)
{
    std::map<std::tuple<std::uint32_t, std::int32_t, std::string, std::string>, HeapUse> sums;
    for (const HeapUse& it : leaks) {
        const auto [sum, isNew] = sums.try_emplace({it.trace, it.pid, it.function, it.module}, it);
        if (isNew)
            continue;
        HeapUse& all = sum->second;
        all.unfreed += it.unfreed;
        all.unfreedBytes += it.unfreedBytes;
        if (all.file != it.file)
            all.file.clear();
        if (all.file != it.file || all.line != it.line)
            all.line = 0;
        if (it.unfreedAt < all.unfreedAt)
            std::tie(all.unfreedAt, all.unfreedRow) = std::tie(it.unfreedAt, it.unfreedRow);
    }
    std::vector<HeapUse> all;
    for (auto& [key, sum] : sums)
        all.push_back(std::move(sum));
    return all;
}

} // namespace

LeaksView::LeaksView(ViewContext& context, QWidget* parent)
    : NavigablePanel(context, {tr("By function"), tr("By source line")}, tr("Leaked blocks"), parent)
{
}

ShownCommand LeaksView::shownCommand() const
{
    const QStringList range = m_usesSelection ? rangeOptions(context().time(), context().time().selection()) : QStringList();
    return {QStringList{"heap", "--leaks", "--by", By(chosen()) == By::Function ? "function" : "line"} + range, {}, {}};
}

void LeaksView::fetch()
{
    if (!isVisible()) // Do not fetch while hidden: showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = context().timeline();
    const TimeRange selection = context().time().selection();
    if (!timeline) {
        answer().cancel();
        m_leaks.clear();
        return fill();
    }
    answer().post([this, timeline, selection](std::stop_token stop) -> LatestTask::Delivery {
        const HeapFilter filter = selection.isEmpty() ? HeapFilter() : HeapFilter{selection, {}};
        auto leaks = std::make_shared<std::vector<HeapUse>>(heapUses(*timeline, HeapGrouping::FunctionLine, filter, stop));
        if (stop.stop_requested())
            return {};
        std::erase_if(*leaks, [](const HeapUse& it) { return it.unfreed == 0; });
        return [this, leaks, isOfSelection = !selection.isEmpty()] {
            m_leaks = std::move(*leaks);
            m_usesSelection = isOfSelection;
            fill();
        };
    });
}

void LeaksView::fill()
{
    std::vector<HeapUse> leaks = By(chosen()) == By::Function ? byFunction(m_leaks) : m_leaks;
    std::ranges::sort(leaks, {}, [](const HeapUse& it) {
        return std::tuple(-it.unfreedBytes, -std::int64_t(it.unfreed), it.function, it.file, it.line, it.pid);
    });
    std::vector<std::vector<NavigableTable::Cell>> lines;
    std::uint64_t blocks = 0;
    std::int64_t bytes = 0;
    for (const HeapUse& it : leaks) {
        const LongestLoss place{it.unfreedRow, it.unfreedAt, {}};
        const auto number = [&](std::int64_t count) { return NavigableTable::Cell{countText(count), count, place}; };
        const auto words = [&](const QString& word) { return NavigableTable::Cell{word, -1, place}; };
        const QString process = it.pid >= 0 ? QStringLiteral("%1 (%2)").arg(text(it.process)).arg(it.pid) : text(it.process);
        lines.push_back({number(it.unfreedBytes), number(std::int64_t(it.unfreed)),
                         words(it.function.empty() ? tr("[unknown]") : text(it.function)), words(sourceOf(it)), words(text(it.module)),
                         words(process)});
        blocks += it.unfreed;
        bytes += it.unfreedBytes;
    }
    setLines({{tr("Bytes"), true},
              {tr("Blocks"), true},
              {tr("Allocated in"), false},
              {tr("Source"), false},
              {tr("Module"), false},
              {tr("Process"), false}},
             std::move(lines));
    const QString what = (blocks == 1 ? tr("1 block, %1 B") : tr("%1 blocks, %2 B").arg(countText(qint64(blocks)))).arg(countText(bytes));
    scopeLabel().setText(blocks == 0           ? tr("All memory allocated here was freed.")
                             : m_usesSelection ? tr("%1 allocated in the selected range").arg(what)
                                               : tr("%1 allocated in the whole trace").arg(what));
}

} // namespace helio
