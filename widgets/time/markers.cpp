#include "widgets/time/markers.h"

#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {

namespace {

bool isMarker(const Bookmark& bookmark, QLatin1StringView name) { return bookmark.range.isEmpty() && bookmark.name == name; }

} // namespace

std::optional<Timestamp> markerAt(const Bookmarks& bookmarks, QLatin1StringView name)
{
    const auto& all = bookmarks.all();
    const auto it = std::ranges::find_if(all, [&](const Bookmark& bookmark) { return isMarker(bookmark, name); });
    return it == all.end() ? std::nullopt : std::optional(it->range.begin);
}

void putMarker(Bookmarks& bookmarks, QLatin1StringView name, Timestamp at)
{
    const auto before = markerAt(bookmarks, name);
    std::vector<Bookmark> all = bookmarks.all();
    std::erase_if(all, [&](const Bookmark& bookmark) { return isMarker(bookmark, name); });
    if (before != at)
        all.push_back({{at, at}, name});
    bookmarks.setAll(std::move(all));
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
