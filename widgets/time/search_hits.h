#pragma once

#include "core/query/events/events.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// Results of the current search, which the ruler, the overview and the Events dock show.
/// Threads: UI thread.
class SearchHits : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const QString& text() const { return m_text; } ///< Expression of the search; empty if there is none.
    const std::vector<EventHit>& hits() const { return m_hits; } ///< Hits in time order; more are added while the search runs.
    std::optional<std::size_t> current() const { return m_current; }
    double share() const { return m_share; } ///< Progress of the search, 0 to 1.
    bool isComplete() const { return m_share >= 1 && m_awaited.isEmpty(); }
    /// Expression of a search that await() announced and that has no hits yet; empty if there is none. Until begin() is called, text() and
    /// hits() are those of the previous search.
    const QString& awaited() const { return m_awaited; }
    /// Range and row of a hit that is longer than a moment; going to the hit selects both.
    struct HitRange {
        TimeRange range;
        TrackRef row; ///< Row of the hit; invalid if it has none.
    };
    std::optional<HitRange> placeOf(std::size_t index) const;
    bool isCut() const { return m_isCut; } ///< True if there are more hits than are stored.
    const QString& problem() const { return m_problem; } ///< Message for the user why the expression is not valid; empty if it is valid.

    /// Returns the index of the hit that a step from `cursor` leads to: the nearest hit after the cursor, or before it if not `isForward`;
    /// nullopt if there is none. If the current hit is at the cursor, its successor or predecessor in hits() is returned, which may
    /// have the same time. If `within` is not empty, only hits that begin in `within` count. A step from outside towards `within` then
    /// finds the first hit inside.
    std::optional<std::size_t> next(Timestamp cursor, bool isForward, TimeRange within = {}) const;

    void await(const QString& text); ///< Announces a search; the previous hits are kept until begin().
    void begin(const QString& text);
    void append(const std::vector<EventHit>& hits, double share);
    void setPlaces(std::vector<HitRange> places); ///< Sets the range and the row of each hit; begin() clears them.
    void finish(bool isCut);
    void fail(const QString& problem); ///< Ends the announced search with a message; the previous hits are kept.
    void setCurrent(std::optional<std::size_t> index);
    void clear() { begin({}); }

signals:
    void begun(); ///< Emitted when hits() are those of another search.
    void changed(); ///< Emitted when text, hits or progress changed.
    void currentChanged();

private:
    std::optional<std::size_t> nextOfAll(Timestamp cursor, bool isForward) const;

    QString m_text;
    QString m_awaited;
    QString m_problem;
    std::vector<EventHit> m_hits;
    std::vector<HitRange> m_places; ///< Range and row of each hit, indexed like hits(); empty if the hits are only moments.
    std::optional<std::size_t> m_current;
    double m_share = 1;
    bool m_isCut = false;
};

} // namespace helio
