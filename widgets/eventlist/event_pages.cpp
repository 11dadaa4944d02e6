#include "widgets/eventlist/event_pages.h"

#include "widgets/eventlist/event_text.h"

#include <QSaveFile>

#include <algorithm>
#include <span>

namespace helio {

namespace {

class TableSource final : public EventSource {
public:
    explicit TableSource(std::shared_ptr<const Timeline> timeline)
        : m_table(std::move(timeline), true)
    {
    }
    std::uint64_t size() const override { return m_table.size(); }
    std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop) override
    {
        return m_table.rows(first, count, stop);
    }
    std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop) override
    {
        return m_table.rows(numbers, stop);
    }
    std::uint64_t indexAt(Timestamp at, std::stop_token stop) override { return m_table.indexAt(at, stop); }

private:
    EventTable m_table;
};

constexpr int MostPages = 64;
constexpr std::uint64_t SavedAtOnce = 10'000; ///< Number of lines that are read at once while saving.

Status writeCsv(const QString& path, std::uint64_t all, const std::function<std::vector<EventRow>(std::uint64_t, std::size_t)>& rowsFrom,
                const std::function<void(std::uint64_t)>& report, const std::stop_token& stop)
{
    QSaveFile file(path);
    const auto failure = [&] { return Error{Error::Kind::Unreadable, file.errorString().toStdString()}; };
    if (!file.open(QIODevice::WriteOnly))
        return failure();
    std::uint64_t first = 0;
    do { // At least one pass, so that an empty list is saved with its column titles.
        const auto count = std::size_t(std::min<std::uint64_t>(SavedAtOnce, all - first));
        const std::vector<EventRow> rows = rowsFrom(first, count);
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, {}};
        if (rows.size() < count)
            return Error{Error::Kind::Corrupt, EventPages::tr("Some of the events cannot be read. Nothing was exported.").toStdString()};
        const QByteArray csv = eventsAsCsv(rows).toUtf8();
        const qsizetype titles = first == 0 ? 0 : csv.indexOf('\n') + 1;
        if (file.write(csv.constData() + titles, csv.size() - titles) != csv.size() - titles)
            return failure();
        first += count;
        report(first);
    } while (first < all);
    return file.commit() ? Status(Done{}) : Status(failure());
}

} // namespace

EventSourceMaker makeEventSource(std::shared_ptr<const Timeline> timeline)
{
    if (!timeline)
        return {};
    return [timeline] { return std::make_unique<TableSource>(timeline); };
}

/// Reader of pages from the source.
/// Threads: only the thread of m_job.
struct EventPages::Reader {
    std::uint64_t version = ~0ull;
    std::unique_ptr<EventSource> source;

    std::vector<std::shared_ptr<const EventRow>> read(const Wish& wish, std::stop_token stop)
    {
        std::vector<std::shared_ptr<const EventRow>> rows;
        if (wish.numbers.empty()) {
            for (EventRow& row : source->rows(wish.page * PageSize, PageSize, stop))
                rows.push_back(std::make_shared<const EventRow>(std::move(row)));
            return rows;
        }
        rows.resize(wish.numbers.size());
        std::size_t i = 0;
        for (EventRow& row : source->rows(wish.numbers, stop)) {
            while (wish.numbers[i] != row.index)
                ++i;
            rows[i] = std::make_shared<const EventRow>(std::move(row));
        }
        return rows;
    }
};

EventPages::EventPages(QObject* parent)
    : QObject(parent)
    , m_reader(std::make_shared<Reader>())
{
    connect(&m_saving, &LatestTask::failed, this, [this] { setSavedShare({}); });
}

void EventPages::setSource(EventSourceMaker maker)
{
    m_maker = std::move(maker);
    ++m_sourceVersion;
    ++m_version;
    m_asked.clear();
    m_needsSize = true;
    if (!m_maker) {
        m_job.cancel();
        m_pages.clear();
        m_size = 0;
        m_needsSize = false;
        m_hasCpus = m_hasThreads = false;
        m_seek.reset();
        emit sizeChanged();
        emit changed();
        return;
    }
    post();
}

void EventPages::setNumbers(const std::vector<EventHit>* numbers)
{
    if (m_numbers == numbers && !numbers)
        return;
    m_numbers = numbers;
    if (numbers)
        m_seek.reset();
    ++m_version;
    m_asked.clear();
    m_pages.clear();
    emit sizeChanged();
    emit changed();
    post();
}

void EventPages::updateNumbers()
{
    emit sizeChanged();
    post();
}

std::shared_ptr<const EventRow> EventPages::row(std::uint64_t position) const
{
    const auto page = m_pages.constFind(position / PageSize);
    if (page == m_pages.constEnd())
        return nullptr;
    const std::uint64_t offset = position % PageSize;
    return offset < page->second.size() ? page->second[offset] : nullptr;
}

void EventPages::want(std::uint64_t first, std::size_t count)
{
    m_first = first;
    m_count = count;
    post();
}

void EventPages::seek(Timestamp at)
{
    if (m_numbers) {
        const auto hit = std::ranges::lower_bound(*m_numbers, at, {}, &EventHit::time);
        emit positionFound(quint64(hit - m_numbers->begin()));
        return;
    }
    m_seek = at;
    post();
}

std::vector<EventPages::Wish> EventPages::missing() const
{
    std::vector<Wish> wishes;
    const std::uint64_t total = m_numbers ? m_numbers->size() : m_size;
    if (m_count == 0 || total == 0)
        return wishes;
    const std::uint64_t last = std::min(m_first + m_count, total) - 1;
    for (std::uint64_t page = m_first / PageSize; page <= last / PageSize; ++page) {
        const auto known = m_pages.constFind(page);
        const std::uint64_t rows = std::min(PageSize, total - page * PageSize);
        if (known != m_pages.constEnd() && known->first == m_version && known->second.size() >= rows)
            continue;
        Wish wish{page, {}};
        if (m_numbers)
            for (std::uint64_t i = page * PageSize; i < page * PageSize + rows; ++i)
                wish.numbers.push_back((*m_numbers)[i].index);
        wishes.push_back(std::move(wish));
    }
    return wishes;
}

void EventPages::post()
{
    if (!m_maker)
        return;
    std::vector<Wish> wishes = missing();
    const bool isAsked = std::ranges::all_of(wishes, [&](const Wish& wish) { return m_asked.contains(wish.page); });
    if (!m_needsSize && !m_seek && isAsked && (m_job.isBusy() || wishes.empty()))
        return;
    m_asked.clear();
    for (const Wish& wish : wishes)
        m_asked.insert(wish.page);
    m_job.post([this, reader = m_reader, maker = m_maker, source = m_sourceVersion, version = m_version, seek = m_seek,
                wishes = std::move(wishes)](std::stop_token stop) -> LatestTask::Delivery {
        if (reader->version != source) {
            reader->source = maker();
            reader->version = source;
        }
        m_job.deliver(stop, [this, size = reader->source->size()] {
            m_needsSize = false;
            if (size != std::exchange(m_size, size))
                emit sizeChanged();
        });
        if (seek) {
            const std::uint64_t position = reader->source->indexAt(*seek, stop);
            m_job.deliver(stop, [this, position, version] {
                if (version != m_version) // The position is in an outdated list of events, so it is dropped.
                    return;
                m_seek.reset();
                emit positionFound(position);
            });
        }
        for (const Wish& wish : wishes) {
            auto rows = reader->read(wish, stop);
            if (stop.stop_requested())
                break;
            m_job.deliver(stop,
                          [this, page = wish.page, rows = std::move(rows), version]() mutable { take(page, std::move(rows), version); });
        }
        return [this] { m_asked.clear(); };
    });
}

void EventPages::collect(std::uint64_t first, std::size_t count, std::function<void(std::vector<EventRow>)> take)
{
    if (!m_maker || first >= size())
        return;
    count = std::size_t(std::min<std::uint64_t>(count, size() - first));
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; m_numbers && i < count; ++i)
        numbers.push_back((*m_numbers)[first + i].index);
    m_collecting.post([maker = m_maker, numbers = std::move(numbers), first, count,
                       take = std::move(take)](std::stop_token stop) -> LatestTask::Delivery {
        const auto source = maker();
        auto rows =
            std::make_shared<std::vector<EventRow>>(numbers.empty() ? source->rows(first, count, stop) : source->rows(numbers, stop));
        return [rows, take] { take(std::move(*rows)); };
    });
}

void EventPages::saveCsv(const QString& path, std::function<void(const Status&)> done)
{
    const auto refuse = [&](const QString& why) { done(Error{Error::Kind::Unsupported, why.toStdString()}); };
    if (!m_maker)
        return refuse(tr("No trace is open."));
    if (m_saving.isBusy())
        return refuse(tr("Another event list is being exported. Wait until it is written, or stop it."));
    if (const Status complete = m_isComplete ? m_isComplete() : Status(Done{}); !complete)
        return done(complete);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; m_numbers && i < size(); ++i)
        numbers.push_back((*m_numbers)[i].index);
    m_cancelSaving = std::stop_source();
    setSavedShare(0);
    m_saving.post([this, maker = m_maker, numbers = std::move(numbers), areAll = !m_numbers, all = size(), path, done = std::move(done),
                   cancel = m_cancelSaving](std::stop_token stop) mutable -> LatestTask::Delivery {
        const std::stop_callback alsoThen(stop, [&cancel] { cancel.request_stop(); });
        const auto report = [&](std::uint64_t lines) {
            m_saving.deliver(stop, [this, share = double(lines) / double(std::max<std::uint64_t>(1, all))] { setSavedShare(share); });
        };
        const auto source = maker();
        const auto rowsFrom = [&](std::uint64_t first, std::size_t count) {
            return count == 0 ? std::vector<EventRow>()
                : areAll      ? source->rows(first, count, cancel.get_token())
                              : source->rows(std::span(numbers).subspan(std::size_t(first), count), cancel.get_token());
        };
        const Status saved = writeCsv(path, all, rowsFrom, report, cancel.get_token());
        return [this, done, saved] {
            setSavedShare({});
            done(saved);
        };
    });
}

void EventPages::setSavedShare(std::optional<double> share)
{
    m_savedShare = share;
    emit savedShareChanged();
}

void EventPages::take(std::uint64_t page, Page rows, std::uint64_t version)
{
    if (m_pages.size() >= MostPages) {
        const std::uint64_t centre = m_first / PageSize;
        m_pages.removeIf([&](auto it) { return (it.key() > centre ? it.key() - centre : centre - it.key()) > MostPages / 4; });
    }
    for (const auto& row : rows) {
        m_hasCpus = m_hasCpus || (row && row->cpu >= 0);
        m_hasThreads = m_hasThreads || (row && row->tid >= 0);
    }
    m_pages.insert(page, {version, std::move(rows)});
    emit changed();
}

} // namespace helio
