#include "core/store/intervals/block_queue.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace helio {
namespace {

/// Maximum number of threads. More threads are useless, because a few threads encode boundaries as fast as one recording thread
/// produces them.
constexpr std::size_t MostThreads = 8;
/// Number of batches that may wait while one thread writes 4 MB (the writer collects this amount before it writes), so that the
/// recording thread need not wait.
constexpr std::size_t SpareBatches = 32;
/// Number of waiting batches (1 MB in total) at which a thread is woken. A wake-up costs the caller as much as encoding a few blocks, and
/// even more on a virtual machine.
constexpr std::size_t WakeUpFor = 16;

} // namespace

BlockQueue::BlockQueue(BlockWriter& writer, std::size_t threads, std::stop_token stop)
    : m_writer(writer)
    , m_stop(std::move(stop))
{
    try {
        while (m_threads.size() < std::min(threads, MostThreads))
            startThread();
    } catch (const std::exception&) { // The system cannot start more threads. Continue with the threads that run already.
    }
    m_most = SpareBatches + 4 * m_threads.size();
    m_free.reserve(m_most + 1); // Reserve memory for the maximum number of free batches, so that m_free is never reallocated.
    m_filling = std::make_unique<BlockBatch>();
}

BlockQueue::~BlockQueue() = default;

void BlockQueue::startThread()
{
    m_threads.emplace_back([this, encoders = std::make_unique<BlockEncoders>()](std::stop_token own) { run(own, *encoders); });
}

void BlockQueue::addBlock(std::uint32_t track, std::span<const Boundary> items)
{
    if (m_threads.empty())
        return m_writer.addBlock(track, items);
    m_filling->addBlock(track, items);
    if (m_filling->isFull())
        handOver();
}

void BlockQueue::addBlocks(std::uint32_t track, std::span<const std::span<const Boundary>> blocks, std::unique_ptr<Boundary[]> room)
{
    m_filling->addBlocks(track, blocks, std::move(room));
    if (m_filling->isFull())
        handOver();
}

void BlockQueue::addLinks(std::span<const Link> links)
{
    if (m_threads.empty())
        return m_writer.addLinks(links);
    m_filling->addLinks(links);
    if (m_filling->isFull())
        handOver();
}

/// Moves the current batch to the queue and replaces it by an empty one. If the queue is full, encodes and writes batches, or waits,
/// until there is space.
void BlockQueue::handOver()
{
    Lock lock(m_mutex);
    while (!hasRoom() && !m_failure && !m_stop.stop_requested()) {
        if (canWork())
            work(lock, m_encoders);
        else
            m_hasProgress.wait(lock, m_stop, [this] { return hasRoom() || canWork() || m_failure; });
    }
    throwFailure();
    if (!hasRoom())
        return m_filling->clear(); // Writing was cancelled: discard the batch.
    auto next = takeFree();
    m_waiting.emplace_back().batch = std::exchange(m_filling, std::move(next));
    if (isWorthWaking())
        m_hasWork.notify_one();
}

std::unique_ptr<BlockBatch> BlockQueue::takeFree()
{
    if (m_free.empty())
        return std::make_unique<BlockBatch>();
    auto batch = std::move(m_free.back());
    m_free.pop_back();
    return batch;
}

void BlockQueue::drain()
{
    if (m_threads.empty())
        return;
    if (!m_filling->isEmpty())
        handOver();
    Lock lock(m_mutex);
    while (!m_waiting.empty() && !m_failure) {
        if (canWork())
            work(lock, m_encoders);
        else
            m_hasProgress.wait(lock, [this] { return m_waiting.empty() || canWork() || m_failure; });
    }
    throwFailure();
}

void BlockQueue::throwFailure() const
{
    if (m_failure)
        std::rethrow_exception(m_failure);
}

void BlockQueue::run(const std::stop_token& stop, BlockEncoders& encoders)
{
    Lock lock(m_mutex);
    while (!stop.stop_requested()) {
        m_hasWork.wait(lock, stop, [this] { return isWorthWaking(); });
        while (canWork() && !stop.stop_requested()) {
            work(lock, encoders);
            m_hasProgress.notify_one();
        }
    }
}

bool BlockQueue::isWorthWaking() const { return !m_failure && m_waiting.size() - m_taken >= WakeUpFor; }

/// Writes or encodes one batch. Writing has priority, because it frees space. Requires: canWork().
void BlockQueue::work(Lock& lock, BlockEncoders& encoders)
{
    if (canWrite())
        writeFirst(lock);
    else
        encodeNext(lock, encoders);
}

void BlockQueue::encodeNext(Lock& lock, BlockEncoders& encoders)
{
    // The reference to this batch stays valid: other batches are removed only before it and added only after it.
    Waiting& next = m_waiting[m_taken++];
    if (unlocked(lock, [&] { next.batch->encode(encoders); }))
        next.isEncoded = true;
}

void BlockQueue::writeFirst(Lock& lock)
{
    m_isWriting = true;
    BlockBatch& first = *m_waiting.front().batch;
    const auto write = [&] {
        m_writer.add(first);
        first.clear();
    };
    if (!unlocked(lock, write))
        return;
    m_isWriting = false;
    m_free.push_back(std::move(m_waiting.front().batch));
    m_waiting.pop_front();
    --m_taken;
}

/// Runs the task without holding the lock. Returns false if the task threw an exception. The exception is kept in m_failure, and no further
/// batch is encoded or written.
template <typename Task> bool BlockQueue::unlocked(Lock& lock, Task task)
{
    std::exception_ptr failure;
    lock.unlock();
    try {
        task();
    } catch (...) {
        failure = std::current_exception();
    }
    lock.lock();
    if (failure && !m_failure)
        m_failure = failure;
    return !failure;
}

} // namespace helio
