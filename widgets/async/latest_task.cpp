#include "widgets/async/latest_task.h"

#include "core/base/task_stop.h"

#include <QMetaObject>

#include <chrono>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace helio {

LatestTask::LatestTask(QObject* parent)
    : QObject(parent)
{
}

LatestTask::~LatestTask()
{
    cancel();
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void LatestTask::post(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_stop = std::stop_source();
        m_next = std::move(job);
        m_isBusy = true;
    }
    QMetaObject::invokeMethod(this, &LatestTask::wake, Qt::QueuedConnection);
}

void LatestTask::wake()
{
    try {
        if (!m_thread.joinable())
            m_thread = std::jthread([this](std::stop_token quit) { run(quit); });
    } catch (const std::exception&) { // The system has no more threads, so the job runs on the calling thread.
        std::unique_lock lock(m_mutex);
        if (m_next)
            runNext(lock);
        return;
    }
    m_wake.notify_one();
}

void LatestTask::deliver(std::stop_token stop, Delivery part)
{
    QMetaObject::invokeMethod(
        this,
        [stop, part = std::move(part)] {
            if (!stop.stop_requested())
                part();
        },
        Qt::QueuedConnection);
}

void LatestTask::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_stop.request_stop();
    m_next = nullptr;
    m_isBusy = false;
}

void LatestTask::run(std::stop_token quit)
{
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, quit, [this] { return m_next != nullptr; }))
        runNext(lock);
}

/// Runs the next job without holding the lock, and delivers its result. Requires: m_next is set.
void LatestTask::runNext(std::unique_lock<std::mutex>& lock)
{
    Job job = std::exchange(m_next, nullptr);
    const std::stop_token stop = m_stop.get_token();
    lock.unlock();
    Delivery result;
    try {
        const TaskStop task(stop);
        result = job(stop);
    } catch (const std::bad_alloc&) {
        result = [this] { fail({}); };
    } catch (const std::exception& error) {
        result = [this, what = std::string(error.what())] { fail(what); };
    }
    job = nullptr;
    for (bool isDelivered = false; !isDelivered && !stop.stop_requested();) {
        try {
            deliver(stop, [this, result = std::move(result)] {
                m_isBusy = false;
                if (result)
                    result();
            });
            isDelivered = true;
        } catch (const std::bad_alloc&) { // The result is lost; the user is told as soon as there is memory for that.
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            result = [this] { fail({}); };
        }
    }
    result = nullptr;
    lock.lock();
}

/// Reports that a job threw an exception. `what`: message of the exception; empty if memory ran out.
void LatestTask::fail(const std::string& what)
{
    const QString why = what.empty() ? tr("Out of memory: select a shorter range or close other programs.")
                                     : tr("Query failed: %1.").arg(QString::fromStdString(what));
    emit failed(why);
    emit JobFailures::instance().failed(why);
}

JobFailures& JobFailures::instance()
{
    static JobFailures all;
    return all;
}

} // namespace helio
