#include "widgets/work/latest_job.h"

#include <QMetaObject>

namespace helio {

LatestJob::LatestJob(QObject* parent)
    : QObject(parent)
{
}

LatestJob::~LatestJob()
{
    cancel();
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void LatestJob::post(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_stop = std::stop_source();
        m_next = std::move(job);
        m_isBusy = true;
    }
    QMetaObject::invokeMethod(this, &LatestJob::wake, Qt::QueuedConnection);
}

void LatestJob::wake()
{
    if (!m_thread.joinable())
        m_thread = std::jthread([this](std::stop_token quit) { run(quit); });
    m_wake.notify_one();
}

void LatestJob::deliver(std::stop_token stop, Delivery part)
{
    QMetaObject::invokeMethod(
        this,
        [stop, part = std::move(part)] {
            if (!stop.stop_requested())
                part();
        },
        Qt::QueuedConnection);
}

void LatestJob::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_stop.request_stop();
    m_next = nullptr;
    m_isBusy = false;
}

void LatestJob::run(std::stop_token quit)
{
    while (true) {
        Job job;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return m_next != nullptr; }))
                return;
            job = std::exchange(m_next, nullptr);
            stop = m_stop.get_token();
        }
        Delivery result = job(stop);
        job = nullptr;
        deliver(stop, [this, result = std::move(result)] {
            m_isBusy = false;
            if (result)
                result();
        });
    }
}

} // namespace helio
