#include "app/gui/record/recorder.h"

#include "widgets/time/qt_text.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace helio {
namespace {

using Phase = RecordingStatus::Phase;

constexpr int TickMilliseconds = 250;
constexpr int TicksPerMeasurement = 4;

} // namespace

Recorder::Recorder(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(TickMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Recorder::update);
}

Recorder::~Recorder() = default;

Status Recorder::start(const RecordedMachine& machine)
{
    m_recording.reset();
    m_machine = machine;
    std::vector<RecordedMachine> machines{machine};
    auto started = Recording::start(std::move(machines), false);
    if (!started)
        return started.error();
    m_recording = std::move(*started);
    m_status = {};
    m_sizes.clear();
    m_saved = 0;
    m_unsaved = 0;
    m_isDiscarded = m_hasEnded = false;
    m_ticks = 0;
    m_timer.start();
    m_dumps.reset();
    if (machine.request.preset.isRing)
        if (auto dumps = DumpSocket::open())
            m_dumps = std::move(*dumps);
    m_notifiers.clear();
    for (const int descriptor : m_recording->descriptors()) {
        auto& notifier = m_notifiers.emplace_back(std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read));
        connect(notifier.get(), &QSocketNotifier::activated, this, &Recorder::readScripts);
    }
    return Done{};
}

void Recorder::stop()
{
    if (isRecording())
        m_recording->stop();
}

void Recorder::kill()
{
    if (isRecording())
        m_recording->kill();
}

void Recorder::save()
{
    if (isRecording())
        m_recording->save();
}

void Recorder::discard()
{
    if (!isRecording())
        return;
    m_isDiscarded = true;
    stop();
}

/// Reads what the scripts have printed: files of another machine arrive faster than the timer ticks.
void Recorder::readScripts()
{
    m_status = m_recording->update();
    const std::vector<int> open = m_recording->descriptors();
    for (const auto& notifier : m_notifiers)
        if (std::ranges::find(open, notifier->socket()) == open.end())
            notifier->setEnabled(false);
}

void Recorder::update()
{
    readScripts();
    if (m_ticks++ % TicksPerMeasurement == 0) {
        m_recording->measure();
        std::error_code failure;
        const auto space = std::filesystem::space(m_recording->folder(), failure);
        m_freeBytes = failure ? -1 : static_cast<std::int64_t>(space.available);
        if (m_status.phase == Phase::Recording)
            m_sizes.push_back({static_cast<double>(m_status.elapsed.count()) / 1e9, static_cast<double>(m_status.bytes)});
    }
    if (m_dumps && m_dumps->takeRequest())
        m_recording->save();
    for (; m_saved < m_status.saved.size(); ++m_saved) {
        if (m_dumps)
            m_dumps->answer(m_status.saved[m_saved].native());
        emit saved(text(m_status.saved[m_saved].native()));
    }
    if (m_dumps && m_status.unsaved > m_unsaved)
        m_dumps->answer("error: the ring buffer could not be saved");
    m_unsaved = m_status.unsaved;
    emit changed();
    if (m_status.phase == Phase::Done || m_status.phase == Phase::Failed)
        finish();
}

void Recorder::finish()
{
    m_timer.stop();
    m_dumps.reset();
    m_hasEnded = true;
    if (m_isDiscarded)
        m_recording->discard();
    const bool isThere = !m_isDiscarded && m_status.phase == Phase::Done;
    const bool isRing = m_machine.request.preset.isRing && !m_status.saved.empty();
    QString problem;
    if (!m_isDiscarded && !m_status.problem.empty())
        problem = (isThere ? tr("Recorded with a problem: %1.") : tr("The recording failed: %1.")).arg(text(m_status.problem));
    else if (isThere && m_status.exitStatus != 0 && !m_machine.request.target.command.empty())
        problem = tr("The command ended with status %1.").arg(m_status.exitStatus);
    emit ended(isThere ? text((isRing ? m_status.saved.back() : m_recording->folder()).native()) : QString(), problem);
}

} // namespace helio
