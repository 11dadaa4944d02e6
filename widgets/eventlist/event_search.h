#pragma once

#include "core/base/result.h"
#include "widgets/async/latest_task.h"
#include "widgets/time/search_hits.h"

#include <memory>

namespace helio {

/// Returns an error with the reason if the list is incomplete: with a search, the list of its hits; without a search, the list of all
/// events.
Status checkCompleteness(const Timeline* timeline, const SearchHits& hits);

/// Search that runs in the background and adds hits as they are found. A new search replaces a running one.
/// Threads: UI thread.
class EventSearch : public QObject {
    Q_OBJECT

public:
    /// Maximum number of hits that are stored; if there are more, SearchHits::isCut() is true.
    static constexpr std::size_t MostHits = 1'000'000;

    explicit EventSearch(SearchHits& hits, QObject* parent = nullptr);

    /// Starts a search; an empty text clears the hits. Earlier hits are kept until the first new hit is found, or the search ends without
    /// any. They are also kept if the text is not a valid expression; problem() of the hits then has the message.
    void start(std::shared_ptr<const Timeline> timeline, const QString& text);
    /// Stops the search; hits found so far are kept.
    void stop();
    bool isRunning() const { return m_job.isBusy(); }

private:
    void take(const QString& text);

    SearchHits& m_hits;
    LatestTask m_job;
};

} // namespace helio
