#include "core/store/intervals/block_queue.h"

namespace helio {
namespace {

/// The thread is woken for so many: waking it costs as much as encoding one, and the caller pays.
constexpr std::size_t WakeUpFor = 96;

} // namespace

BlockQueue::BlockQueue(BlockWriter& writer, bool hasThread, std::stop_token stop)
    : m_writer(writer)
    , m_stop(std::move(stop))
{
    if (hasThread)
        m_thread = std::jthread([this](std::stop_token own) { run(own); });
}

BlockQueue::~BlockQueue() = default;

void BlockQueue::addBlock(std::uint32_t track, std::span<const Boundary> items)
{
    if (!m_thread.joinable())
        return m_writer.addBlock(track, items);
    add([&](Piece& piece) {
        piece.track = track;
        piece.items.assign(items.begin(), items.end());
    });
}

void BlockQueue::addLinks(std::span<const Link> links)
{
    if (!m_thread.joinable())
        return m_writer.addLinks(links);
    add([&](Piece& piece) {
        piece.items.clear();
        piece.links.assign(links.begin(), links.end());
    });
}

template <typename Fill> void BlockQueue::add(Fill fill)
{
    std::unique_lock lock(m_mutex);
    if (m_count == m_ring.size() && !m_failure && !m_changed.wait(lock, m_stop, [this] { return m_count < m_ring.size() || m_failure; }))
        return; // cancelled
    if (m_failure)
        std::rethrow_exception(m_failure);
    Piece& piece = m_ring[(m_first + m_count) % m_ring.size()];
    lock.unlock(); // a free place is the caller's
    fill(piece);
    lock.lock();
    if (++m_count == WakeUpFor)
        m_changed.notify_all();
}

void BlockQueue::drain()
{
    if (!m_thread.joinable())
        return;
    std::unique_lock lock(m_mutex);
    m_isDraining = true;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return m_count == 0 || m_failure; });
    m_isDraining = false;
    if (m_failure)
        std::rethrow_exception(m_failure);
}

void BlockQueue::run(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, stop, [this] { return m_count >= WakeUpFor || (m_isDraining && m_count > 0); });
        for (; m_count > 0; --m_count, m_first = (m_first + 1) % m_ring.size()) {
            if (stop.stop_requested())
                return;
            const Piece& piece = m_ring[m_first];
            lock.unlock(); // a waiting place is the thread's
            try {
                write(piece);
                lock.lock();
            } catch (...) {
                lock.lock();
                m_failure = std::current_exception();
                m_changed.notify_all();
                return;
            }
            if (m_count == m_ring.size())
                m_changed.notify_all();
        }
        if (stop.stop_requested())
            return;
        m_changed.notify_all();
    }
}

void BlockQueue::write(const Piece& piece)
{
    if (piece.items.empty())
        m_writer.addLinks(piece.links);
    else
        m_writer.addBlock(piece.track, piece.items);
}

} // namespace helio
