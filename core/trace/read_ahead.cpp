#include "core/trace/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace helio {
namespace {

constexpr std::size_t MaxStreams = 1024;
/// Maximum number of records in the batches of all streams together; exceeded if each stream would otherwise have fewer than two batches.
constexpr std::size_t MaxRecords = 65536;
constexpr std::size_t MaxBatches = 32; ///< Maximum number of batches for one stream.

/// Batches of one stream in a ring buffer: a decoding thread writes at `filled`, the reader reads at `taken`.
struct Ring {
    std::unique_ptr<EventStream> stream; ///< Stream that is decoded. Used by one thread while `isFilling`, else by no thread.
    std::vector<EventBatch> batches;
    std::size_t taken = 0;
    std::size_t filled = 0;
    bool isAtEnd = false;
    bool isFilling = false;
    bool isQueued = false; ///< True if the ring waits in the pool's queue for a thread that fills it.
    bool isAwaited = false; ///< True if the reader waits for a batch.
    std::exception_ptr failure; ///< Exception that the stream threw; rethrown to the reader once it has read the batches decoded before.

    std::size_t ready() const { return filled - taken; }
    bool hasRoom() const { return !isAtEnd && ready() < batches.size(); }
    bool isIdle() const { return !isFilling && !isQueued; }
    bool isNearlyEmpty() const { return ready() * 4 <= batches.size(); }
    EventBatch& at(std::size_t i) { return batches[i % batches.size()]; }
};

} // namespace

/// Threads that fill rings, and the state that they share with the readers. A ring with room is queued and then filled completely by one
/// thread. A wake-up costs as much as reading a batch. Therefore a sleeping thread is woken only for a nearly empty ring, and a waiting
/// reader only when its ring has several batches again.
class ReadAheadTrace::Pool {
public:
    Pool(std::size_t threads, std::stop_token stop)
        : m_stop(std::move(stop))
    {
        try {
            while (m_threads.size() < threads)
                m_threads.emplace_back([this] { work(); });
        } catch (const std::exception&) { // The system cannot start more threads: the threads started so far decode all streams.
        }
    }

    ~Pool()
    {
        {
            std::lock_guard lock(m_mutex);
            m_isStopping = true;
        }
        m_wake.notify_all();
        for (std::thread& thread : m_threads)
            thread.join();
    }

    bool hasThreads() const { return !m_threads.empty(); }

    void add(Ring& ring)
    {
        std::lock_guard lock(m_mutex);
        enqueue(ring);
    }

    void remove(Ring& ring)
    {
        std::unique_lock lock(m_mutex);
        ring.isAtEnd = true; // Prevents other threads from filling the ring.
        std::erase(m_queue, &ring);
        awaitIdle(lock, ring);
    }

    /// Exchanges the reader's used batch for the next batch. Returns false at the stream's end, or if `stop` was requested while the call
    /// waited.
    bool take(Ring& ring, EventBatch& batch)
    {
        std::unique_lock lock(m_mutex);
        if (ring.ready() == 0 && !ring.isAtEnd) {
            // The reader waits for this stream: move the stream's ring to the front of the queue, so that a thread fills this ring first.
            if (ring.isQueued) {
                std::erase(m_queue, &ring);
                m_queue.push_front(&ring);
            }
            ring.isAwaited = true;
            m_done.wait(lock, m_stop, [&] { return ring.isAtEnd || !(ring.isNearlyEmpty() && (ring.isFilling || ring.isQueued)); });
            ring.isAwaited = false;
        }
        if (ring.ready() == 0 && ring.failure)
            std::rethrow_exception(std::exchange(ring.failure, nullptr));
        if (ring.ready() == 0)
            return false;
        std::swap(batch, ring.at(ring.taken++));
        if (!ring.isAtEnd && ring.isIdle() && (ring.isNearlyEmpty() || m_sleeping < m_threads.size()))
            enqueue(ring);
        return true;
    }

    std::vector<Diagnostic> diagnostics(Ring& ring)
    {
        std::unique_lock lock(m_mutex);
        awaitIdle(lock, ring);
        return ring.stream->diagnostics(); // No other thread fills the ring during this call, because m_mutex is locked.
    }

private:
    void enqueue(Ring& ring)
    {
        ring.isQueued = true;
        m_queue.push_back(&ring);
        if (m_sleeping > 0 && ring.isNearlyEmpty())
            m_wake.notify_one();
    }

    void work()
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            ++m_sleeping;
            m_wake.wait(lock, [&] { return m_isStopping || !m_queue.empty(); });
            --m_sleeping;
            if (m_isStopping)
                return;
            Ring& ring = *m_queue.front();
            m_queue.pop_front();
            ring.isQueued = false;
            fill(lock, ring);
        }
    }

    void fill(std::unique_lock<std::mutex>& lock, Ring& ring)
    {
        ring.isFilling = true;
        while (ring.hasRoom() && !m_isStopping && !m_stop.stop_requested()) {
            EventBatch& batch = ring.at(ring.filled); // No lock is needed: the reader accesses only batches before `filled`.
            lock.unlock();
            bool hasMore = false;
            std::exception_ptr failure;
            try {
                hasMore = ring.stream->next(batch);
            } catch (...) {
                failure = std::current_exception();
            }
            lock.lock();
            ring.failure = std::move(failure);
            if (hasMore)
                ++ring.filled;
            else
                ring.isAtEnd = true;
            if (ring.isAwaited && !ring.isNearlyEmpty())
                m_done.notify_all();
            if (!ring.isNearlyEmpty() && !m_queue.empty() && m_queue.front()->isAwaited)
                break;
        }
        ring.isFilling = false;
        if (ring.isAwaited)
            m_done.notify_all();
        if (ring.hasRoom() && !m_stop.stop_requested())
            enqueue(ring);
        if (m_awaitingIdle > 0)
            m_done.notify_all();
    }

    void awaitIdle(std::unique_lock<std::mutex>& lock, const Ring& ring)
    {
        ++m_awaitingIdle;
        m_done.wait(lock, [&] { return !ring.isFilling; });
        --m_awaitingIdle;
    }

    const std::stop_token m_stop;
    std::mutex m_mutex;
    std::condition_variable m_wake; ///< Wakes the decoding threads.
    std::condition_variable_any m_done; ///< Wakes readers.
    std::deque<Ring*> m_queue; ///< Rings to be filled, the next one first.
    std::size_t m_awaitingIdle = 0;
    std::size_t m_sleeping = 0;
    bool m_isStopping = false;
    std::vector<std::thread> m_threads; ///< Decoding threads. Declared last, because they use the members above.
};

class ReadAheadTrace::Stream final : public EventStream {
public:
    Stream(std::shared_ptr<Pool> pool, std::unique_ptr<EventStream> stream, std::size_t batches, std::size_t most)
        : m_pool(std::move(pool))
    {
        m_ring.stream = std::move(stream);
        m_ring.batches.resize(batches);
        for (EventBatch& batch : m_ring.batches)
            batch.most = most;
        m_pool->add(m_ring);
    }
    ~Stream() override { m_pool->remove(m_ring); }

    bool next(EventBatch& batch) override
    {
        if (!m_pool->take(m_ring, batch))
            return false;
        // The records are in another core's cache: prefetching all of them at once is several times faster than loading one after another.
        for (const EventRecord& record : batch.records)
            __builtin_prefetch(&record);
        return true;
    }
    std::vector<Diagnostic> diagnostics() const override { return m_pool->diagnostics(m_ring); }

private:
    std::shared_ptr<Pool> m_pool;
    mutable Ring m_ring;
};

ReadAheadTrace::ReadAheadTrace(const Trace& trace, std::size_t threads, std::stop_token stop)
    : m_trace(trace)
{
    const std::size_t streams = trace.streams().size();
    if (trace.keepsBytes() && streams > 0 && streams <= MaxStreams && threads > 0)
        m_pool = std::make_shared<Pool>(std::min(threads, streams), std::move(stop));
    if (m_pool && !m_pool->hasThreads())
        m_pool.reset();
}

ReadAheadTrace::~ReadAheadTrace() = default;

std::unique_ptr<EventStream> ReadAheadTrace::openStream(std::uint32_t stream, StreamPosition from) const
{
    auto opened = m_trace.openStream(stream, from);
    if (!m_pool || !opened)
        return opened;
    const std::size_t most = EventBatch::batchSizeFor(streams().size());
    const std::size_t batches = std::clamp<std::size_t>(MaxRecords / most / streams().size(), 2, MaxBatches);
    return std::make_unique<Stream>(m_pool, std::move(opened), batches, most);
}

} // namespace helio
