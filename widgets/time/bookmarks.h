#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace helio {

/// Bookmark of the user: a moment (an empty range) or a range.
struct Bookmark {
    TimeRange range;
    QString name;
    bool operator==(const Bookmark&) const = default;
};

/// Bookmarks of a session in time order, as shown by the ruler, the overview and the Bookmarks dock.
/// Threads: UI thread.
class Bookmarks : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const std::vector<Bookmark>& all() const { return m_all; }

    /// Adds a bookmark and returns its index. Replaces a bookmark with exactly the same range. An empty name becomes the lowest free
    /// number.
    std::size_t add(TimeRange range, const QString& name = {});
    void rename(std::size_t index, const QString& name);
    void remove(std::size_t index);
    /// Moves a marker to `at`, or adds it there; removes it if it is already at `at`. `name` is MarkerA or MarkerB.
    void putMarker(QLatin1StringView name, Timestamp at);
    /// Replaces all bookmarks, e.g. by those of a session. Does not emit edited().
    void setAll(std::vector<Bookmark> bookmarks);
    /// Converts all times to another clock. Does not emit edited().
    void changeClock(const std::function<Timestamp(Timestamp)>& moved);

    /// Returns the index of the bookmark with exactly this range; nullopt if there is none.
    std::optional<std::size_t> find(TimeRange range) const;

signals:
    void changed();
    /// Emitted after the user changed the bookmarks. `text` names the edit, e.g. "Remove bookmark 3". Consecutive edits with the same
    /// `mergeKey` may be treated as one edit; an edit with an empty key is never merged. `before`: the bookmarks before the edit.
    void edited(const QString& text, const QString& mergeKey, const std::vector<helio::Bookmark>& before);
    void clockChanged(const std::function<helio::Timestamp(helio::Timestamp)>& moved); ///< Emitted by changeClock().

private:
    QString freeName() const;
    void edit(std::vector<Bookmark> bookmarks, const QString& text, const QString& mergeKey = {});

    std::vector<Bookmark> m_all;
};

/// Names of the two markers. A bookmark named A or B is a marker if it is a single time instead of a range. Sessions and views treat
/// markers like all bookmarks.
inline constexpr QLatin1StringView MarkerA("A");
inline constexpr QLatin1StringView MarkerB("B");

std::optional<Timestamp> markerAt(const Bookmarks& bookmarks, QLatin1StringView name);
/// Converts the times of bookmarks to another clock.
void moveBookmarks(std::vector<Bookmark>& bookmarks, const std::function<Timestamp(Timestamp)>& moved);
/// Returns the time from A to B, negative if B is earlier; nullopt if a marker is missing.
std::optional<Duration> markerDifference(const Bookmarks& bookmarks);
/// Returns the time from A to B as text, e.g. "+12.300 ms"; empty if a marker is missing.
QString markerDifferenceText(const Bookmarks& bookmarks);

} // namespace helio
