#include "core/trace/read_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace helio {
namespace {

constexpr std::size_t MaxStreams = 64;
constexpr std::size_t MaxBatches = 128; ///< Of all streams together.

/// One stream's batches in a ring: the worker fills at `filled`, the reader takes at `taken`.
struct Ring {
    std::unique_ptr<EventStream> stream; ///< Touched by the worker alone while it `isFilling`, else by nobody.
    std::vector<EventBatch> batches;
    std::size_t taken = 0;
    std::size_t filled = 0;
    bool isAtEnd = false;
    bool isFilling = false;
    bool isAwaited = false;

    std::size_t ready() const { return filled - taken; }
    bool wantsMore() const { return !isAtEnd && ready() < batches.size(); }
    EventBatch& at(std::size_t i) { return batches[i % batches.size()]; }
};

} // namespace

/// The thread and what it shares with the readers.
class ReadAhead::Worker {
public:
    Worker()
        : m_thread([this] { work(); })
    {
    }

    ~Worker()
    {
        {
            std::lock_guard lock(m_mutex);
            m_isStopping = true;
        }
        m_wake.notify_all();
        m_thread.join();
    }

    void add(Ring* ring)
    {
        {
            std::lock_guard lock(m_mutex);
            m_rings.push_back(ring);
        }
        m_wake.notify_one();
    }

    void remove(Ring* ring)
    {
        std::unique_lock lock(m_mutex);
        awaitIdle(lock, *ring);
        std::erase(m_rings, ring);
    }

    /// Exchanges the reader's batch for the next one.
    bool take(Ring& ring, EventBatch& batch)
    {
        std::unique_lock lock(m_mutex);
        if (ring.ready() == 0 && !ring.isAtEnd) {
            ring.isAwaited = true;
            m_wake.notify_one();
            m_done.wait(lock, [&] { return ring.ready() > 0 || ring.isAtEnd; });
            ring.isAwaited = false;
        }
        if (ring.ready() == 0)
            return false;
        std::swap(batch, ring.at(ring.taken++));
        // The worker sleeps when all is full; it is woken for several batches, not for each.
        if (m_isSleeping && ring.wantsMore() && ring.ready() * 2 <= ring.batches.size())
            m_wake.notify_one();
        return true;
    }

    std::vector<Diagnostic> diagnostics(Ring& ring)
    {
        std::unique_lock lock(m_mutex);
        awaitIdle(lock, ring);
        return ring.stream->diagnostics(); // Under the lock: the worker cannot begin to fill.
    }

private:
    void work()
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            Ring* ring = nullptr;
            m_isSleeping = true;
            m_wake.wait(lock, [&] { return m_isStopping || (ring = mostUrgent()) != nullptr; });
            m_isSleeping = false;
            if (m_isStopping)
                return;
            ring->isFilling = true;
            EventBatch& batch = ring->at(ring->filled); // The reader keeps off: it takes only what is filled.
            lock.unlock();
            const bool hasMore = ring->stream->next(batch);
            lock.lock();
            ring->isFilling = false;
            if (hasMore)
                ++ring->filled;
            else
                ring->isAtEnd = true;
            if (ring->isAwaited || m_awaitingIdle > 0)
                m_done.notify_all();
        }
    }

    Ring* mostUrgent() const
    {
        Ring* best = nullptr;
        for (Ring* ring : m_rings) {
            if (ring->wantsMore() && (!best || ring->ready() < best->ready()))
                best = ring;
        }
        return best;
    }

    void awaitIdle(std::unique_lock<std::mutex>& lock, const Ring& ring)
    {
        ++m_awaitingIdle;
        m_done.wait(lock, [&] { return !ring.isFilling; });
        --m_awaitingIdle;
    }

    std::mutex m_mutex;
    std::condition_variable m_wake; ///< For the worker.
    std::condition_variable m_done; ///< For readers.
    std::vector<Ring*> m_rings;
    std::size_t m_awaitingIdle = 0;
    bool m_isSleeping = false;
    bool m_isStopping = false;
    std::thread m_thread; ///< Last: it uses the others.
};

class ReadAhead::Stream final : public EventStream {
public:
    Stream(std::shared_ptr<Worker> worker, std::unique_ptr<EventStream> stream, std::size_t batches)
        : m_worker(std::move(worker))
    {
        m_ring.stream = std::move(stream);
        m_ring.batches.resize(batches);
        m_worker->add(&m_ring);
    }
    ~Stream() override { m_worker->remove(&m_ring); }

    bool next(EventBatch& batch) override { return m_worker->take(m_ring, batch); }
    std::vector<Diagnostic> diagnostics() const override { return m_worker->diagnostics(m_ring); }

private:
    std::shared_ptr<Worker> m_worker;
    mutable Ring m_ring;
};

ReadAhead::ReadAhead(const Trace& trace)
    : m_trace(trace)
{
    if (trace.keepsBytes() && !trace.streams().empty() && trace.streams().size() <= MaxStreams)
        m_worker = std::make_shared<Worker>();
}

ReadAhead::~ReadAhead() = default;

std::unique_ptr<EventStream> ReadAhead::openStream(std::uint32_t stream, StreamPosition from) const
{
    auto opened = m_trace.openStream(stream, from);
    if (!m_worker || !opened)
        return opened;
    const std::size_t batches = std::clamp<std::size_t>(MaxBatches / streams().size(), 2, 16);
    return std::make_unique<Stream>(m_worker, std::move(opened), batches);
}

} // namespace helio
