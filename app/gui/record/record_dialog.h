#pragma once

#include "core/recording/recording.h"
#include "widgets/async/latest_task.h"

#include <QDialog>
#include <QTimer>

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace helio {

class CheckList;
class CommandBox;
class ToggleSwitch;

/// Dialog in which the user chooses what to record: a preset, this machine, a command or another host. Shows the checks of that machine,
/// and the commands that will run.
class RecordDialog : public QDialog {
    Q_OBJECT

public:
    /// `preset`: id of the preset that is selected first; empty for the one that was used last.
    explicit RecordDialog(const QString& preset = {}, QWidget* parent = nullptr);

    /// Returns the machine to record with its plan. Requires: the dialog was accepted.
    RecordedMachine machine() const { return m_machine.value(); }

    bool isReady() const; ///< True if the checks of what is chosen have passed, so that the user can record.

private:
    enum class Target : int { Machine, Command, Host };

    QWidget* makePresets(const QString& preset);
    QWidget* makeChoices();
    QWidget* makeFoot();
    void selectPreset(int index);
    void updateTarget();
    void suggestFolder();
    void inspect();
    void showMachine(const Result<RecordedMachine>& machine);
    void showCommandLine();
    void showEvents();
    void showScript();
    RecordingRequest request() const;
    Target target() const;

    RecordingPresets m_found;
    int m_preset = 0; ///< Index into m_found.all.
    QString m_suggested; ///< Folder that suggestFolder() set; a folder that the user typed is kept.
    Elevation m_elevation = Elevation::None;
    std::optional<RecordedMachine> m_machine; ///< Result of the last inspection; nullopt if it failed or is not of what is chosen.
    std::vector<RecordingCheck> m_checks;

    QButtonGroup* m_presets = nullptr;
    QButtonGroup* m_targets = nullptr;
    QWidget* m_commandRow = nullptr;
    QWidget* m_hostRow = nullptr;
    QLineEdit* m_command = nullptr;
    QLineEdit* m_host = nullptr;
    QComboBox* m_stop = nullptr;
    ToggleSwitch* m_asRoot = nullptr;
    QLineEdit* m_folder = nullptr;
    CheckList* m_checkList = nullptr;
    CommandBox* m_commands = nullptr;
    QLabel* m_expected = nullptr;
    QLabel* m_commandLine = nullptr;
    QPushButton* m_record = nullptr;
    QTimer m_delay; ///< Starts an inspection once the user pauses typing.
    LatestTask m_inspection;
};

/// Returns the words of a command line that the user typed; a text that is no valid command line is a single word.
std::vector<std::string> commandWords(const QString& line);

} // namespace helio
