#pragma once

#include "core/base/result.h"
#include "widgets/async/latest_task.h"
#include "widgets/time/search_hits.h"

#include <memory>

namespace helio {

/// Returns an error with the reason if the list of hits, or of all events when there is no search, is incomplete.
Status checkCompleteness(const Timeline* timeline, const SearchHits& hits);

/// Runs a search in the background and appends hits as they are found. The latest search wins.
/// Threads: UI thread.
class EventSearch : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t MostHits = 1'000'000; ///< Limit of kept hits; the hits tell if it was reached.

    explicit EventSearch(SearchHits& hits, QObject* parent = nullptr);

    /// Starts a search; an empty text clears the hits. Earlier hits stay until the first new hit is found, or until the search ends without
    /// any. They also stay if the text cannot be parsed: the hits' problem() then has the message.
    void start(std::shared_ptr<const Timeline> timeline, const QString& text);
    /// Stops the search; hits found so far stay.
    void stop();
    bool isRunning() const { return m_job.isBusy(); }

private:
    void take(const QString& text);

    SearchHits& m_hits;
    LatestTask m_job;
};

} // namespace helio
