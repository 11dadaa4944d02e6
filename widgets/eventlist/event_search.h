#pragma once

#include "core/base/result.h"
#include "widgets/async/latest_job.h"
#include "widgets/time/search_hits.h"

#include <memory>

namespace helio {

/// Whether the list of these hits, or of all events where there is no search, is complete; an error says why not.
Status completenessOf(const Timeline* timeline, const SearchHits& hits);

/// Runs a search in the background and fills the hits as they are found. The latest search wins. UI thread only.
class EventSearch : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t MostHits = 1'000'000; ///< More are not kept; the hits say so.

    explicit EventSearch(SearchHits& hits, QObject* parent = nullptr);

    /// An empty text clears. What was found before stays until the first new hit, or until it is known that there is none; and where the
    /// text cannot be parsed, which the hits' problem() then says.
    void start(std::shared_ptr<const Timeline> timeline, const QString& text);
    /// Stops; the hits found so far stay.
    void stop();
    bool isRunning() const { return m_job.isBusy(); }

private:
    void take(const QString& text);

    SearchHits& m_hits;
    LatestJob m_job;
};

} // namespace helio
