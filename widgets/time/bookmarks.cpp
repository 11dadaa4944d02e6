#include "widgets/time/bookmarks.h"

#include "widgets/time/time_format.h"

#include <algorithm>
#include <utility>

namespace helio {

namespace {

bool isBefore(const Bookmark& a, const Bookmark& b)
{
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end < b.range.end;
}

bool isMarker(const Bookmark& bookmark, QLatin1StringView name) { return bookmark.range.isEmpty() && bookmark.name == name; }

} // namespace

std::size_t Bookmarks::add(TimeRange range, const QString& name)
{
    if (const auto present = find(range)) {
        if (!name.isEmpty())
            rename(*present, name);
        return *present;
    }
    const Bookmark bookmark{range, name.isEmpty() ? freeName() : name};
    std::vector<Bookmark> all = m_all;
    const auto at = all.insert(std::upper_bound(all.begin(), all.end(), bookmark, isBefore), bookmark);
    const auto index = static_cast<std::size_t>(at - all.begin());
    edit(std::move(all), tr("Add bookmark %1").arg(bookmark.name));
    return index;
}

void Bookmarks::rename(std::size_t index, const QString& name)
{
    if (index >= m_all.size() || m_all[index].name == name)
        return;
    std::vector<Bookmark> all = m_all;
    const QString before = std::exchange(all[index].name, name);
    edit(std::move(all), tr("Rename bookmark %1").arg(before));
}

void Bookmarks::remove(std::size_t index)
{
    if (index >= m_all.size())
        return;
    std::vector<Bookmark> all = m_all;
    const QString name = all[index].name;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    edit(std::move(all), tr("Remove bookmark %1").arg(name));
}

void Bookmarks::putMarker(QLatin1StringView name, Timestamp at)
{
    const auto before = markerAt(*this, name);
    std::vector<Bookmark> all = m_all;
    std::erase_if(all, [&](const Bookmark& bookmark) { return isMarker(bookmark, name); });
    if (before != at)
        all.push_back({{at, at}, name});
    std::stable_sort(all.begin(), all.end(), isBefore);
    if (!before)
        edit(std::move(all), tr("Set marker %1").arg(name));
    else if (before == at)
        edit(std::move(all), tr("Remove marker %1").arg(name));
    else
        edit(std::move(all), tr("Move marker %1").arg(name), "marker/" + name);
}

void Bookmarks::edit(std::vector<Bookmark> bookmarks, const QString& text, const QString& mergeKey)
{
    const std::vector<Bookmark> before = std::exchange(m_all, std::move(bookmarks));
    emit changed();
    emit edited(text, mergeKey, before);
}

void Bookmarks::setAll(std::vector<Bookmark> bookmarks)
{
    std::stable_sort(bookmarks.begin(), bookmarks.end(), isBefore);
    if (bookmarks == m_all)
        return;
    m_all = std::move(bookmarks);
    emit changed();
}

void Bookmarks::changeClock(const std::function<Timestamp(Timestamp)>& moved)
{
    std::vector<Bookmark> all = m_all;
    moveBookmarks(all, moved);
    setAll(std::move(all));
    emit clockChanged(moved);
}

std::optional<std::size_t> Bookmarks::find(TimeRange range) const
{
    const auto at = std::find_if(m_all.begin(), m_all.end(), [&](const Bookmark& b) { return b.range == range; });
    return at == m_all.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - m_all.begin()));
}

QString Bookmarks::freeName() const
{
    for (int number = 1;; ++number) {
        const QString name = QString::number(number);
        if (std::none_of(m_all.begin(), m_all.end(), [&](const Bookmark& b) { return b.name == name; }))
            return name;
    }
}

std::optional<Timestamp> markerAt(const Bookmarks& bookmarks, QLatin1StringView name)
{
    const auto& all = bookmarks.all();
    const auto it = std::ranges::find_if(all, [&](const Bookmark& bookmark) { return isMarker(bookmark, name); });
    return it == all.end() ? std::nullopt : std::optional(it->range.begin);
}

void moveBookmarks(std::vector<Bookmark>& bookmarks, const std::function<Timestamp(Timestamp)>& moved)
{
    for (Bookmark& it : bookmarks)
        it.range = {moved(it.range.begin), moved(it.range.end)};
}

std::optional<Duration> markerDifference(const Bookmarks& bookmarks)
{
    const auto a = markerAt(bookmarks, MarkerA);
    const auto b = markerAt(bookmarks, MarkerB);
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

QString markerDifferenceText(const Bookmarks& bookmarks)
{
    const auto difference = markerDifference(bookmarks);
    if (!difference)
        return {};
    const bool isNegative = *difference < Duration(0);
    return QChar(isNegative ? 0x2212 : u'+') + durationText(isNegative ? -*difference : *difference);
}

} // namespace helio
