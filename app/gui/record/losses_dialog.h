#pragma once

#include "core/experiment/timeline.h"
#include "core/recording/recording.h"

#include <QDialog>

#include <cstdint>
#include <map>
#include <vector>

class QButtonGroup;

namespace helio {

/// Losses of a recording.
struct RecordedLosses {
    std::map<std::int32_t, std::uint64_t> byCpu; ///< Number of lost events by CPU; the key is -1 if the CPU is unknown.
    std::uint64_t events = 0; ///< Sum of the numbers in `byCpu`; 0 although gaps exist if the tool did not count.
    std::size_t gaps = 0;
    Duration unknown{}; ///< Time in which events were lost on at least one CPU.
    Duration whole{}; ///< Duration of the recording.
};

/// Returns the losses of the opened recordings.
/// Cost: proportional to the number of gaps.
RecordedLosses lossesOf(const Timeline& timeline);

/// A way to record again with fewer losses.
struct RetryChoice {
    QString title; ///< E.g. "Larger buffers".
    QString detail; ///< E.g. "-m 32M instead of 8M".
    RecordingRequest request;
};

/// Returns the ways to record again with fewer losses, the likeliest first.
std::vector<RetryChoice> retryChoices(const RecordedMachine& machine);

/// Dialog after a recording with losses: what is unknown, and ways to record again.
class LossesDialog : public QDialog {
    Q_OBJECT

public:
    LossesDialog(const RecordedLosses& losses, const RecordedMachine& machine, QWidget* parent = nullptr);

signals:
    void discardRequested(); ///< Emitted when the user wants to delete the recording.
    void retryRequested(const RecordingRequest& request); ///< Emitted when the user wants to record again.

private:
    std::vector<RetryChoice> m_choices;
    QButtonGroup* m_buttons;
};

} // namespace helio
