#pragma once

#include "core/base/result.h"
#include "core/query/events/events.h"
#include "widgets/async/latest_task.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Source of the events of an event list: an EventTable, or a fake in tests.
/// Threads: one thread at a time, never the UI thread.
class EventSource {
public:
    virtual ~EventSource() = default;
    virtual std::uint64_t size() const = 0;
    virtual std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop) = 0;
    /// Returns the rows of events by their numbers, which must be in ascending order; numbers without an event are skipped.
    virtual std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop) = 0;
    virtual std::uint64_t indexAt(Timestamp at, std::stop_token stop) = 0;
};

/// Function that makes a source. Called on the list's background thread, so that it may read the trace.
using EventSourceMaker = std::function<std::unique_ptr<EventSource>()>;

EventSourceMaker makeEventSource(std::shared_ptr<const Timeline> timeline);

/// Rows of an event list, read in pages on a background thread. A row that has not been read yet is nullptr until changed() is emitted.
///
/// Lists all events of a source, or only those with given numbers (hits of a search or filter). Caches a few thousand rows.
/// Threads: UI thread.
class EventPages : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint64_t PageSize = 64;

    explicit EventPages(QObject* parent = nullptr);

    /// Sets the source. Rows of the previous source are shown until they have been read again. An empty function clears the list.
    void setSource(EventSourceMaker maker);
    /// Limits the list to the events in `numbers`; nullptr for all events. The caller may append events, see updateNumbers().
    /// Ownership: the caller owns `numbers`, and must keep it until the next call or until the list is destroyed.
    void setNumbers(const std::vector<EventHit>* numbers);
    /// Updates the list. Must be called after the vector passed to setNumbers() grew.
    void updateNumbers();

    std::uint64_t size() const { return m_numbers ? m_numbers->size() : m_size; }
    std::shared_ptr<const EventRow> row(std::uint64_t position) const;

    /// True if any row that has been read has a CPU. hasThreads() is the same for threads.
    bool hasCpus() const { return m_hasCpus; }
    bool hasThreads() const { return m_hasThreads; }

    /// Requests the rows around a range of positions. A later request replaces earlier ones.
    void want(std::uint64_t first, std::size_t count);
    /// Searches for the first event at or after `at`, and emits positionFound() with its position.
    void seek(Timestamp at);

    /// Reads the lines [first, first + count) on a background thread, and passes them to `take` in one call; fewer lines if the list ends
    /// before. A later call replaces earlier ones.
    void collect(std::uint64_t first, std::size_t count, std::function<void(std::vector<EventRow>)> take);

    /// Sets a function that saveCsv() calls first: it returns an error with the reason if the list is incomplete.
    void setCompleteness(std::function<Status()> isComplete) { m_isComplete = std::move(isComplete); }
    /// Writes all lines to a CSV file on a background thread, in the format of eventsAsCsv(); then calls `done`. The file is written
    /// completely, or stays unchanged.
    /// Errors: the list is incomplete; another list is being saved; the file cannot be written; Cancelled.
    void saveCsv(const QString& path, std::function<void(const Status&)> done);
    std::optional<double> savedShare() const { return m_savedShare; } ///< Progress of saving, 0 to 1; nullopt if nothing is being saved.
    void cancelSaving() { m_cancelSaving.request_stop(); }

signals:
    void changed();
    void sizeChanged();
    void positionFound(quint64 position);
    void savedShareChanged();

private:
    using Page = std::vector<std::shared_ptr<const EventRow>>;
    struct Wish {
        std::uint64_t page;
        std::vector<std::uint64_t> numbers; ///< Numbers of the page's events; empty if all events are listed.
    };
    struct Reader;

    void post();
    void setSavedShare(std::optional<double> share);
    void take(std::uint64_t page, Page rows, std::uint64_t version);
    std::vector<Wish> missing() const;

    EventSourceMaker m_maker;
    std::uint64_t m_sourceVersion = 0;
    /// Increases with each change of the source or of m_numbers, so that pages that were read before the change are recognized as old.
    std::uint64_t m_version = 0;
    std::uint64_t m_size = 0;
    const std::vector<EventHit>* m_numbers = nullptr;
    /// Cached pages by page number, each with the m_version at which it was read.
    QHash<std::uint64_t, std::pair<std::uint64_t, Page>> m_pages;
    std::uint64_t m_first = 0;
    std::size_t m_count = 0;
    std::optional<Timestamp> m_seek;
    bool m_needsSize = false;
    bool m_hasCpus = false;
    bool m_hasThreads = false;
    QSet<std::uint64_t> m_asked;
    std::shared_ptr<Reader> m_reader;
    LatestTask m_job;
    LatestTask m_collecting;
    std::function<Status()> m_isComplete;
    std::optional<double> m_savedShare;
    std::stop_source m_cancelSaving;
    LatestTask m_saving;
};

} // namespace helio
