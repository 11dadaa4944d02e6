#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace helio {

/// Runs jobs on a thread of its own, one at a time. A new job replaces older ones: post() requests the running job to stop and drops a
/// waiting one.
///
/// Ownership: owned by a view. The destructor requests the running job to stop and waits for its end, so jobs must check their stop token.
/// Threads: post() and cancel() on the UI thread.
/// Errors: a job that throws delivers nothing; failed() has the reason, and JobFailures notifies the window. If the system has no more
/// threads, jobs run on the UI thread.
class LatestTask : public QObject {
    Q_OBJECT

public:
    using Delivery = std::function<void()>;
    /// Job that runs on the thread of this object. The returned function, which may be empty, runs on the UI thread, unless a newer job was
    /// posted meanwhile.
    using Job = std::function<Delivery(std::stop_token)>;

    explicit LatestTask(QObject* parent = nullptr);
    ~LatestTask() override;

    /// Starts a job; replaces the running job and the waiting job. The job's thread is woken only after the current event was handled.
    /// Otherwise, while the user resizes a window, which paints inside the event, the job would take CPU time from the display server and
    /// delay the frame (p90 on two cores: 19 ms instead of 14 ms).
    void post(Job job);

    /// Delivers a partial result from inside a job: runs `part` on the UI thread, unless a newer job was posted meanwhile.
    void deliver(std::stop_token stop, Delivery part);

    /// Requests the running job to stop, and drops a waiting job.
    void cancel();

    /// True from post() until the delivery of the job ran or cancel() was called.
    /// Threads: UI thread.
    bool isBusy() const { return m_isBusy; }

signals:
    /// Emitted when the latest job threw an exception; `why` is a message for the user.
    void failed(const QString& why);

private:
    void wake();
    void run(std::stop_token quit);
    void runNext(std::unique_lock<std::mutex>& lock);
    void fail(const std::string& what);

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Job m_next;
    std::stop_source m_stop{std::nostopstate};
    bool m_isBusy = false;
    std::jthread m_thread;
};

/// Notifies windows about jobs that threw an exception.
/// Threads: UI thread.
class JobFailures : public QObject {
    Q_OBJECT

public:
    static JobFailures& instance();

signals:
    void failed(const QString& why);
};

} // namespace helio
