#pragma once

#include "core/query/events/events.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// Results of the current search, for the ruler, the overview, the Events dock and the Search dock. Threads: UI thread.
class SearchHits : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const QString& text() const { return m_text; } ///< Expression of the search; empty if there is no search.
    const std::vector<EventHit>& hits() const { return m_hits; } ///< In time order; grows while the search runs.
    std::optional<std::size_t> current() const { return m_current; }
    double share() const { return m_share; } ///< Progress of the search, 0 to 1.
    bool isComplete() const { return m_share >= 1 && m_awaited.isEmpty(); }
    /// Expression of a search that has no results yet, while hits() are still the results of text(); empty if there is none.
    const QString& awaited() const { return m_awaited; }
    /// Range and row of a hit that is more than a moment; going to the hit selects both.
    struct Place {
        TimeRange range;
        TrackRef row; ///< Not valid if the hit has no row.
    };
    std::optional<Place> placeOf(std::size_t index) const;
    bool isCut() const { return m_isCut; } ///< True if there are more hits than are kept.
    const QString& problem() const { return m_problem; } ///< Why the expression cannot be used, for the user; empty if it can.

    /// Returns the hit to step to from the cursor. If the cursor is on the current hit, it is the hit before or after; otherwise the
    /// nearest hit in that direction. If `within` is not empty, only hits that begin in it count; from outside of `within`, stepping
    /// towards it finds the first hit inside.
    std::optional<std::size_t> next(Timestamp cursor, bool isForward, TimeRange within = {}) const;

    void await(const QString& text); ///< Announces a search; the previous results stay until begin().
    void begin(const QString& text);
    void append(const std::vector<EventHit>& hits, double share);
    void setPlaces(std::vector<Place> places); ///< Sets the place of each of hits(); begin() clears the places.
    void finish(bool isCut);
    void fail(const QString& problem); ///< The previous results stay.
    void setCurrent(std::optional<std::size_t> index);
    void clear() { begin({}); }

signals:
    void begun(); ///< hits() now belong to another search.
    void changed(); ///< Text, hits or progress changed.
    void currentChanged();

private:
    std::optional<std::size_t> nextOfAll(Timestamp cursor, bool isForward) const;

    QString m_text;
    QString m_awaited;
    QString m_problem;
    std::vector<EventHit> m_hits;
    std::vector<Place> m_places; ///< Empty, or one place for each hit.
    std::optional<std::size_t> m_current;
    double m_share = 1;
    bool m_isCut = false;
};

} // namespace helio
