#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace helio {

/// A bookmark of the user: a moment (an empty range) or a range.
struct Bookmark {
    TimeRange range;
    QString name;
    bool operator==(const Bookmark&) const = default;
};

/// The bookmarks of a session, in time order. The ruler, the overview and the Bookmarks dock show them. Threads: UI thread.
class Bookmarks : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const std::vector<Bookmark>& all() const { return m_all; }

    /// Adds a bookmark and returns its index. It replaces a bookmark on exactly the same range. Without a name it gets the lowest free
    /// number as its name.
    std::size_t add(TimeRange range, const QString& name = {});
    void rename(std::size_t index, const QString& name);
    void remove(std::size_t index);
    void setAll(std::vector<Bookmark> bookmarks);

    /// Returns the index of the bookmark on exactly this range.
    std::optional<std::size_t> find(TimeRange range) const;

signals:
    void changed();

private:
    QString freeName() const;

    std::vector<Bookmark> m_all;
};

/// The two markers are the bookmarks named A and B that are moments. Sessions keep them and views show them like all bookmarks.
inline constexpr QLatin1StringView MarkerA("A");
inline constexpr QLatin1StringView MarkerB("B");

std::optional<Timestamp> markerAt(const Bookmarks& bookmarks, QLatin1StringView name);
/// Moves the marker to `at`, or adds it; removes it if it is already there.
void putMarker(Bookmarks& bookmarks, QLatin1StringView name, Timestamp at);
/// Time from A to B, negative if B is earlier; nullopt if a marker is missing.
std::optional<Duration> markerDifference(const Bookmarks& bookmarks);
/// E.g. "+12.300 ms"; empty if a marker is missing.
QString markerDifferenceText(const Bookmarks& bookmarks);

} // namespace helio
