#pragma once

#include "core/base/result.h"
#include "widgets/async/latest_job.h"
#include "widgets/eventlist/event_source.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Rows of an event list, fetched in pages on a thread of their own; what is not there yet is null until changed() is emitted.
///
/// Lists all events of a source, or only those at given numbers (hits of a search or filter). UI thread only. Keeps some thousand rows.
class EventPages : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint64_t PageSize = 64;

    explicit EventPages(QObject* parent = nullptr);

    /// Another source; rows known so far are shown until they are read again. An empty maker: nothing.
    void setSource(EventSourceMaker maker);
    /// Lists only these events, which may grow; null: all. They are the caller's and outlive this or the next call.
    void setNumbers(const std::vector<EventHit>* numbers);
    /// After the numbers grew.
    void updateNumbers();

    std::uint64_t size() const { return m_numbers ? m_numbers->size() : m_size; }
    std::shared_ptr<const EventRow> row(std::uint64_t position) const;

    /// Whether any row that was read has its CPU, or its thread.
    bool hasCpus() const { return m_hasCpus; }
    bool hasThreads() const { return m_hasThreads; }

    /// Asks for the rows around these positions; the latest wish wins.
    void want(std::uint64_t first, std::size_t count);
    /// Asks where the first event at or after `at` stands; sought() answers.
    void seek(Timestamp at);

    /// Reads lines [first, first + count) on a thread of their own and hands them over at once, fewer where there are fewer. The latest
    /// call wins.
    void collect(std::uint64_t first, std::size_t count, std::function<void(std::vector<EventRow>)> take);

    /// Says whether what is listed is complete; an error says why not. Asked before the lines are saved.
    void setCompleteness(std::function<Status()> isComplete) { m_isComplete = std::move(isComplete); }
    /// Writes all lines on a thread of their own, whole or not at all, as eventsAsCsv() has them; then calls `done`.
    /// Errors: the list is not complete; another one is being saved; the file cannot be written; Cancelled.
    void saveCsv(const QString& path, std::function<void(const Status&)> done);
    std::optional<double> savedShare() const { return m_savedShare; } ///< 0 to 1; none: nothing is being saved.
    void cancelSaving() { m_cancelSaving.request_stop(); }

signals:
    void changed();
    void sizeChanged();
    void sought(quint64 position);
    void savedShareChanged();

private:
    using Page = std::vector<std::shared_ptr<const EventRow>>;
    struct Wish {
        std::uint64_t page;
        std::vector<std::uint64_t> numbers; ///< Of its rows; empty: all of them, in order.
    };
    struct Reader;

    void post();
    void setSavedShare(std::optional<double> share);
    void take(std::uint64_t page, Page rows, std::uint64_t version);
    std::vector<Wish> missing() const;

    EventSourceMaker m_maker;
    std::uint64_t m_sourceVersion = 0;
    std::uint64_t m_version = 0; ///< Of source and numbers together.
    std::uint64_t m_size = 0;
    const std::vector<EventHit>* m_numbers = nullptr;
    QHash<std::uint64_t, std::pair<std::uint64_t, Page>> m_pages; ///< With the version they are of.
    std::uint64_t m_first = 0;
    std::size_t m_count = 0;
    std::optional<Timestamp> m_seek;
    bool m_needsSize = false;
    bool m_hasCpus = false;
    bool m_hasThreads = false;
    QSet<std::uint64_t> m_asked;
    std::shared_ptr<Reader> m_reader;
    LatestJob m_job;
    LatestJob m_collecting;
    std::function<Status()> m_isComplete;
    std::optional<double> m_savedShare;
    std::stop_source m_cancelSaving;
    LatestJob m_saving;
};

} // namespace helio
