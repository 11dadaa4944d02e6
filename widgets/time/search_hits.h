#pragma once

#include "core/query/events/events.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace helio {

/// What the present search found, for the ruler, the overview, the Events and the Search dock. UI thread only.
class SearchHits : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    const QString& text() const { return m_text; } ///< The expression; empty: no search.
    const std::vector<EventHit>& hits() const { return m_hits; } ///< In time order; grows while the search runs.
    std::optional<std::size_t> current() const { return m_current; }
    double share() const { return m_share; } ///< How far the search is, 0 to 1.
    bool isComplete() const { return m_share >= 1 && m_awaited.isEmpty(); }
    /// What is being searched for while hits() are still those of text(); empty: nothing.
    const QString& awaited() const { return m_awaited; }
    /// Of hits that are more than moments: where one lasts, and on which row; going to it selects both.
    struct Place {
        TimeRange range;
        TrackRef row; ///< Not valid: on none.
    };
    std::optional<Place> placeOf(std::size_t index) const;
    bool isCut() const { return m_isCut; } ///< There are more hits than are kept.
    const QString& problem() const { return m_problem; } ///< Why the expression cannot be used.

    /// The hit to step to from the cursor: the one after (or before) the current hit, if the cursor is on it, else the nearest that way.
    /// Where `within` is not empty, of those that begin in it: from beyond an edge of it the first ones there that way.
    std::optional<std::size_t> next(Timestamp cursor, bool isForward, TimeRange within = {}) const;

    void await(const QString& text); ///< What was found before stays until begin().
    void begin(const QString& text);
    void append(const std::vector<EventHit>& hits, double share);
    void setPlaces(std::vector<Place> places); ///< Of all hits(), one each; begin() takes them away.
    void finish(bool isCut);
    void fail(const QString& problem); ///< What was found before stays.
    void setCurrent(std::optional<std::size_t> index);
    void clear() { begin({}); }

signals:
    void begun(); ///< The hits are others from now on.
    void changed(); ///< Text, hits, share.
    void currentChanged();

private:
    std::optional<std::size_t> nextOfAll(Timestamp cursor, bool isForward) const;

    QString m_text;
    QString m_awaited;
    QString m_problem;
    std::vector<EventHit> m_hits;
    std::vector<Place> m_places; ///< Empty, or of each.
    std::optional<std::size_t> m_current;
    double m_share = 1;
    bool m_isCut = false;
};

} // namespace helio
