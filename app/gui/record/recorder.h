#pragma once

#include "core/recording/dump_socket.h"
#include "core/recording/recording.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <memory>
#include <vector>

namespace helio {

/// Size of a recording at one moment.
struct SizeSample {
    double seconds = 0; ///< Time since the begin of the recording, in seconds.
    double bytes = 0;
};

/// The recording that a window makes, at most one at a time.
/// Ownership: owns the recording. The destructor stops it and waits up to 10 s for the tools, so that nothing stays enabled.
/// Threads: UI thread.
class Recorder : public QObject {
    Q_OBJECT

public:
    explicit Recorder(QObject* parent = nullptr);
    ~Recorder() override;

    /// Starts a recording. Requires: !isRecording().
    /// Errors: as Recording::start().
    Status start(const RecordedMachine& machine);
    bool isRecording() const { return m_recording && !m_hasEnded; }
    const RecordingStatus& status() const { return m_status; }
    /// Returns the recorded machine. Requires: start() succeeded.
    const RecordedMachine& machine() const { return m_machine; }
    const std::vector<SizeSample>& sizes() const { return m_sizes; } ///< Sizes in time order, about one a second.
    std::int64_t freeBytes() const { return m_freeBytes; } ///< Free space where the recording is saved; -1 if unknown.

    void stop(); ///< Ends the recording; ended() follows.
    void kill(); ///< Kills the tools of a recording that does not end after stop().
    void save(); ///< Saves the ring buffer; saved() follows.
    void discard(); ///< Ends the recording and removes its folder; ended() follows with an empty path.

signals:
    void changed(); ///< Emitted about four times a second while the recording is made.
    void saved(const QString& path); ///< Emitted for each saved ring buffer.
    /// Emitted at the end. `path`: recording to open; empty if there is none. `problem`: a message for the user, or empty.
    void ended(const QString& path, const QString& problem);

private:
    void readScripts();
    void update();
    void finish();

    std::unique_ptr<Recording> m_recording;
    RecordedMachine m_machine;
    RecordingStatus m_status;
    std::vector<SizeSample> m_sizes;
    std::size_t m_saved = 0; ///< Number of saved ring buffers that saved() has told.
    int m_unsaved = 0; ///< RecordingStatus::unsaved as of the last update.
    std::unique_ptr<DumpSocket> m_dumps; ///< Requests of "heliograph record --dump"; nullptr if no ring buffer is recorded.
    std::int64_t m_freeBytes = -1;
    bool m_isDiscarded = false;
    bool m_hasEnded = false;
    int m_ticks = 0;
    std::vector<std::unique_ptr<QSocketNotifier>> m_notifiers; ///< Notifiers of the scripts' outputs.
    QTimer m_timer;
};

} // namespace helio
