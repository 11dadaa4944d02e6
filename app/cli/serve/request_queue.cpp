#include "app/cli/serve/request_queue.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostWaiting = 1'000;
constexpr std::size_t MostWaitingBytes = 64 << 20;

} // namespace

Status RequestQueue::add(ServeRequest request)
{
    const std::lock_guard lock(m_mutex);
    const auto hasId = [&](const Entry& it) { return it.request.id == request.id; };
    if ((m_running && hasId(*m_running)) || std::ranges::any_of(m_waiting, hasId))
        return Error{Error::Kind::Usage, "a request with this ID is waiting or running"};
    if (m_waiting.size() == MostWaiting || m_bytes + request.bytes > MostWaitingBytes)
        return Error{Error::Kind::Full, "too many requests are waiting"};
    m_bytes += request.bytes;
    m_waiting.push_back({std::move(request), {}});
    m_changed.notify_one();
    return Done{};
}

std::optional<RequestQueue::Task> RequestQueue::take()
{
    std::unique_lock lock(m_mutex);
    m_running.reset();
    m_changed.wait(lock, [this] { return m_isClosed || !m_waiting.empty(); });
    if (m_waiting.empty())
        return {};
    m_running = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_bytes -= m_running->request.bytes;
    return Task{m_running->request, m_running->stop.get_token(), this};
}

void RequestQueue::releaseId()
{
    const std::lock_guard lock(m_mutex);
    m_running.reset();
}

bool RequestQueue::cancel(std::string_view id)
{
    const std::lock_guard lock(m_mutex);
    if (m_running && m_running->request.id == id)
        return m_running->stop.request_stop();
    const auto found = std::ranges::find_if(m_waiting, [id](const Entry& it) { return it.request.id == id; });
    return found != m_waiting.end() && found->stop.request_stop();
}

void RequestQueue::cancelAll()
{
    const std::lock_guard lock(m_mutex);
    if (m_running)
        m_running->stop.request_stop();
    for (Entry& it : m_waiting)
        it.stop.request_stop();
}

void RequestQueue::close()
{
    const std::lock_guard lock(m_mutex);
    m_isClosed = true;
    m_changed.notify_one();
}

} // namespace helio
