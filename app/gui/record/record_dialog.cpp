#include "app/gui/record/record_dialog.h"

#include "app/gui/common/file_dialogs.h"
#include "app/gui/record/check_list.h"
#include "app/gui/record/command_box.h"
#include "core/base/shell_words.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/toggle_switch.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace helio {
namespace {

constexpr const char* PresetSetting = "record/preset"; ///< Id of the preset that was used last.
constexpr const char* FolderSetting = "record/folder"; ///< Folder in which the last recording was saved.
constexpr const char* HostSetting = "record/host";
constexpr const char* CommandSetting = "record/command";

constexpr int PresetsWidth = 306;
constexpr int PresetHeight = 58;
constexpr int LabelWidth = 96;

/// Vertical line in line.subtle between two columns.
class VerticalRule : public QWidget {
public:
    VerticalRule() { setFixedWidth(1); }

private:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), theme().color("line.subtle")); }
};

/// Row of the list of presets: icon, title and summary.
class PresetRow : public QAbstractButton {
public:
    explicit PresetRow(const RecordingPreset& preset)
        : m_title(helio::text(preset.title))
        , m_summary(helio::text(preset.summary))
        , m_icon("preset-" + helio::text(preset.id))
    {
        if (!QFile::exists(":/icons/" + m_icon + ".svg"))
            m_icon = QStringLiteral("preset");
        setText(m_title);
        setAccessibleDescription(m_summary);
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setMinimumHeight(int(PresetHeight * fonts().scale()));
    }
    QSize sizeHint() const override { return {PresetsWidth - 16, minimumHeight()}; }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRect row = rect().adjusted(8, 2, -8, -2);
        painter.setPen(Qt::NoPen);
        if (isChecked() || underMouse()) {
            painter.setBrush(theme().color(isChecked() ? "surface.selected" : "surface.hover"));
            painter.drawRoundedRect(row, 5, 5);
        }
        if (isChecked())
            painter.fillRect(row.left(), row.center().y() - 18, 3, 38, theme().color("accent.fill"));
        const int size = 18;
        const QColor ink = theme().color(isChecked() ? "text.primary" : "text.secondary");
        painter.drawPixmap(row.left() + 16, row.center().y() - size / 2, iconPixmap(m_icon, ink, size, devicePixelRatioF()));
        const int left = row.left() + 46;
        painter.setFont(fonts().at(12.5, 600));
        painter.setPen(theme().color("text.primary"));
        painter.drawText(QRect(left, row.top() + 8, row.right() - left, 18), Qt::AlignLeft | Qt::AlignVCenter, m_title);
        painter.setFont(fonts().at(11));
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(QRect(left, row.bottom() - 26, row.right() - left, 18), Qt::AlignLeft | Qt::AlignVCenter, m_summary);
        if (hasFocus() && isKeyboardNavigationActive())
            paintFocusRing(painter, row, 5);
    }

    const QString m_title;
    const QString m_summary;
    QString m_icon;
};

QWidget* makeRow(const QString& name, std::initializer_list<QWidget*> fields)
{
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 3, 0, 3);
    line->setSpacing(8);
    QLabel* const label = makeLabel(name, 12, 400, "text.secondary");
    label->setFixedWidth(LabelWidth);
    line->addWidget(label);
    for (QWidget* const field : fields)
        line->addWidget(field, qobject_cast<QLineEdit*>(field) ? 1 : 0);
    return row;
}

/// Returns a path with the home folder of the user in place of a leading "~".
std::string withHome(const std::string& path)
{
    return path == "~" || path.starts_with("~/") ? QDir::homePath().toStdString() + path.substr(1) : path;
}

} // namespace

std::vector<std::string> commandWords(const QString& line)
{
    const std::string typed = line.trimmed().toStdString();
    auto words = splitShellLine(typed);
    if (!words)
        return {typed};
    for (std::string& word : *words) // A shell does so, and users expect it.
        word = withHome(word);
    return std::move(*words);
}

RecordDialog::RecordDialog(const QString& preset, QWidget* parent)
    : QDialog(parent)
    , m_found(findPresets())
{
    setWindowTitle(tr("Record"));
    setMinimumSize(800, 620);
    constexpr int FrameHeight = 40; // Space for the window's title on small screens, whose bottom would hide the buttons.
    resize(QSize(1044, 856).boundedTo(screen()->availableSize() - QSize(0, FrameHeight)));
    m_delay.setSingleShot(true);
    m_delay.setInterval(300);
    connect(&m_delay, &QTimer::timeout, this, &RecordDialog::inspect);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(0);
    columns->addWidget(makePresets(preset));
    columns->addWidget(new VerticalRule);
    columns->addWidget(makeChoices(), 1);
    layout->addLayout(columns, 1);
    layout->addWidget(new HorizontalRule);
    layout->addWidget(makeFoot());
    updateTarget();
}

QWidget* RecordDialog::makePresets(const QString& preset)
{
    auto* page = new QWidget;
    page->setFixedWidth(int(PresetsWidth * fonts().scale()));
    auto* lines = new QVBoxLayout(page);
    lines->setContentsMargins(0, 14, 0, 14);
    lines->setSpacing(0);
    auto* head = makeLabel(tr("What to record"), 11.5, 600, "text.secondary");
    head->setContentsMargins(20, 0, 0, 6);
    lines->addWidget(head);
    m_presets = new QButtonGroup(this);
    const QString wanted = preset.isEmpty() ? QSettings().value(PresetSetting).toString() : preset;
    auto* rows = new QWidget;
    auto* stack = new QVBoxLayout(rows);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->setSpacing(0);
    for (std::size_t i = 0; i < m_found.all.size(); ++i) {
        auto* row = new PresetRow(m_found.all[i]);
        m_presets->addButton(row, int(i));
        stack->addWidget(row);
        if (helio::text(m_found.all[i].id) == wanted)
            m_preset = int(i);
    }
    stack->addStretch(1);
    m_presets->button(m_preset)->setChecked(true);
    connect(m_presets, &QButtonGroup::idClicked, this, &RecordDialog::selectPreset);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(rows);
    lines->addWidget(scroll, 1);
    auto* hint = new LinkLabel;
    styleLabel(hint, 11, 400, "text.hint");
    hint->setContentsMargins(20, 8, 12, 0);
    hint->setWordWrap(true);
    const QString folder = helio::text(userPresetFolder().native());
    setTextWithLinks(*hint,
                     tr("Presets are files; add your own in the folder %1").arg("<br>" + linkText("folder", folder.toHtmlEscaped())));
    connect(hint, &QLabel::linkActivated, this, [folder] {
        QDir().mkpath(folder);
        QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
    });
    lines->addWidget(hint);
    for (const PresetProblem& problem : m_found.problems) {
        auto* label = makeLabel(helio::text(problem.file.filename().native() + ": " + problem.what), 11, 400, "severity.warning");
        label->setTextFormat(Qt::PlainText);
        label->setContentsMargins(20, 4, 12, 0);
        label->setWordWrap(true);
        lines->addWidget(label);
    }
    return page;
}

QWidget* RecordDialog::makeChoices()
{
    auto* page = new QWidget;
    auto* lines = new QVBoxLayout(page);
    lines->setContentsMargins(24, 14, 24, 14);
    lines->setSpacing(6);
    lines->addWidget(makeLabel(tr("Target"), 12, 600, "text.primary"));
    m_targets = new QButtonGroup(this);
    auto* targets = new QHBoxLayout;
    targets->setSpacing(6);
    const std::pair<Target, QString> kinds[]{
        {Target::Machine, tr("This machine")}, {Target::Command, tr("Command")}, {Target::Host, tr("Another host")}};
    for (const auto& [kind, name] : kinds) {
        auto* button = new QPushButton(name);
        button->setCheckable(true);
        button->setAutoDefault(false);
        m_targets->addButton(button, int(kind));
        targets->addWidget(button);
    }
    m_targets->button(int(Target::Machine))->setChecked(true);
    connect(m_targets, &QButtonGroup::idClicked, this, &RecordDialog::updateTarget);
    targets->addStretch(1);
    lines->addLayout(targets);

    m_command = new QLineEdit(QSettings().value(CommandSetting).toString());
    m_command->setPlaceholderText(tr("./my-program --its-options"));
    m_command->setAccessibleName(tr("Command"));
    m_commandRow = makeRow(tr("Command"), {m_command});
    m_host = new QLineEdit(QSettings().value(HostSetting).toString());
    m_host->setPlaceholderText(tr("user@host, reached with ssh and a key"));
    m_host->setAccessibleName(tr("Host"));
    m_hostRow = makeRow(tr("Host"), {m_host});
    m_stop = new QComboBox;
    m_stop->setAccessibleName(tr("Stop"));
    m_stop->setMinimumWidth(180);
    m_asRoot = new ToggleSwitch(tr("Run as root"));
    m_asRoot->setToolTip(tr("Run the command as root, too"));
    m_folder = new QLineEdit;
    m_folder->setAccessibleName(tr("Save in"));
    auto* choose = new QToolButton;
    choose->setIcon(themedIcon("folder"));
    choose->setToolTip(tr("Choose the folder that contains the recording"));
    choose->setAccessibleName(choose->toolTip());
    connect(choose, &QToolButton::clicked, this, [this] {
        const QString parent = askOpenFolder(this, tr("Choose the folder that contains the recording"));
        if (parent.isEmpty())
            return;
        QSettings().setValue(FolderSetting, parent);
        m_folder->setText(m_suggested);
        suggestFolder();
    });
    lines->addWidget(m_commandRow);
    lines->addWidget(m_hostRow);
    QWidget* const stopRow = makeRow(tr("Stop"), {m_stop, m_asRoot});
    static_cast<QHBoxLayout*>(stopRow->layout())->addStretch(1);
    lines->addWidget(stopRow);
    lines->addWidget(makeRow(tr("Save in"), {m_folder, choose}));
    lines->addSpacing(4);
    lines->addWidget(new HorizontalRule);
    lines->addSpacing(4);

    m_checkList = new CheckList;
    connect(m_checkList, &CheckList::checkRequested, this, &RecordDialog::inspect);
    connect(m_checkList, &CheckList::elevationRequested, this, [this] {
        m_elevation = Elevation::Pkexec;
        inspect();
    });
    lines->addWidget(m_checkList);
    lines->addSpacing(4);
    lines->addWidget(new HorizontalRule);
    lines->addSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Commands"), 12, 600, "text.primary"));
    head->addStretch(1);
    auto* copy = new LinkLabel;
    setTextWithLinks(*copy, linkText("copy", tr("Copy")));
    styleLabel(copy, 11.5, 500, "text.link");
    connect(copy, &QLabel::linkActivated, this, [this] { copyText(m_commands->text()); });
    head->addWidget(copy);
    lines->addLayout(head);
    m_commands = new CommandBox;
    m_commands->setMinimumHeight(80);
    m_commands->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    lines->addWidget(m_commands);
    auto* below = new QHBoxLayout;
    m_expected = makeLabel({}, 11.5, 400, "text.secondary");
    below->addWidget(m_expected, 1);
    auto* events = new LinkLabel;
    styleLabel(events, 11.5, 500, "text.link");
    setTextWithLinks(*events, linkText("events", tr("Show events")));
    connect(events, &QLabel::linkActivated, this, &RecordDialog::showEvents);
    below->addWidget(events);
    lines->addLayout(below);
    lines->addStretch(1);

    for (QLineEdit* const field : {m_command, m_host, m_folder})
        connect(field, &QLineEdit::textEdited, this, [this, field] {
            if (field == m_command)
                suggestFolder();
            m_machine.reset();
            m_record->setEnabled(false);
            m_delay.start();
        });
    connect(m_asRoot, &QAbstractButton::toggled, this, [this](bool isOn) {
        m_elevation = isOn ? Elevation::Pkexec : Elevation::None;
        inspect();
    });
    connect(m_stop, &QComboBox::activated, this, &RecordDialog::inspect);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    return scroll;
}

QWidget* RecordDialog::makeFoot()
{
    auto* foot = new QWidget;
    auto* line = new QHBoxLayout(foot);
    line->setContentsMargins(20, 12, 20, 12);
    line->setSpacing(8);
    m_commandLine = makeLabel({}, 11.5, 400, "text.secondary");
    m_commandLine->setTextFormat(Qt::RichText);
    m_commandLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_commandLine->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    line->addWidget(m_commandLine, 1);
    auto* dry = new QPushButton(tr("Dry run"));
    dry->setToolTip(tr("Show the script that would run, and record nothing"));
    dry->setAutoDefault(false);
    connect(dry, &QPushButton::clicked, this, &RecordDialog::showScript);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setAutoDefault(false);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_record = new QPushButton(themedIcon("record", "accent.ink"), tr("Record"));
    m_record->setDefault(true);
    m_record->setEnabled(false);
    connect(m_record, &QPushButton::clicked, this, [this] {
        if (!isReady())
            return;
        QSettings settings;
        settings.setValue(PresetSetting, helio::text(m_found.all[std::size_t(m_preset)].id));
        settings.setValue(CommandSetting, m_command->text());
        settings.setValue(HostSetting, m_host->text());
        settings.setValue(FolderSetting, helio::text(m_machine->request.folder.parent_path().native()));
        accept();
    });
    for (QPushButton* const button : {dry, cancel, m_record})
        line->addWidget(button);
    return foot;
}

RecordDialog::Target RecordDialog::target() const { return Target(m_targets->checkedId()); }

bool RecordDialog::isReady() const { return m_machine && allowsRecording(m_checks); }

void RecordDialog::selectPreset(int index)
{
    m_preset = index;
    if (m_found.all[std::size_t(index)].needsCommand())
        m_targets->button(int(Target::Command))->setChecked(true);
    updateTarget();
}

/// Shows the fields that the target needs.
void RecordDialog::updateTarget()
{
    const bool isCommand = target() == Target::Command;
    const bool isRing = m_found.all[std::size_t(m_preset)].isRing;
    m_commandRow->setVisible(isCommand);
    m_hostRow->setVisible(target() == Target::Host);
    m_asRoot->setVisible(isCommand);
    if (target() != Target::Host && isCommand)
        m_command->setFocus();
    const int seconds = m_stop->currentData().toInt();
    m_stop->clear();
    m_stop->addItem(isCommand ? tr("When the command ends") : tr("When I stop it"), 0);
    if (!isRing)
        for (const auto& [text, duration] : std::initializer_list<std::pair<QString, int>>{
                 {tr("After 5 s"), 5}, {tr("After 10 s"), 10}, {tr("After 30 s"), 30}, {tr("After 1 min"), 60}, {tr("After 5 min"), 300}})
            m_stop->addItem(text, duration);
    m_stop->setCurrentIndex(std::max(0, m_stop->findData(seconds)));
    suggestFolder();
    inspect();
}

/// Suggests a folder for the recording, unless the user has typed one.
void RecordDialog::suggestFolder()
{
    if (m_folder->text() != m_suggested)
        return;
    const QString parent = QSettings().value(FolderSetting, QDir::homePath() + "/traces").toString();
    m_suggested = helio::text(newRecordingFolder(parent.toStdString(), request()).native());
    m_folder->setText(m_suggested);
    m_folder->setCursorPosition(int(m_suggested.size()));
}

RecordingRequest RecordDialog::request() const
{
    RecordingRequest request;
    request.preset = m_found.all[std::size_t(m_preset)];
    request.folder =
        QDir::cleanPath(QDir().absoluteFilePath(helio::text(withHome(m_folder->text().trimmed().toStdString())))).toStdString();
    request.target.workingFolder = QDir::currentPath().toStdString();
    if (target() == Target::Command) {
        request.target.command = commandWords(m_command->text());
        request.runsCommandAsRoot = m_asRoot->isChecked();
    }
    if (target() == Target::Host)
        request.host = m_host->text().trimmed().toStdString();
    else
        request.elevation = m_elevation;
    request.session = sessionName(request.host);
    if (const int seconds = m_stop->currentData().toInt(); seconds > 0)
        request.target.duration = std::chrono::seconds(seconds);
    return request;
}

/// Inspects the chosen machine on another thread, then shows its checks.
void RecordDialog::inspect()
{
    m_delay.stop();
    m_machine.reset();
    m_record->setEnabled(false);
    showCommandLine();
    if (target() == Target::Host && m_host->text().trimmed().isEmpty())
        return m_checkList->setProblem(tr("Enter the host to record, e.g. user@host."));
    if (target() == Target::Host && m_host->text().trimmed().startsWith('-'))
        return m_checkList->setProblem(tr("A host name does not begin with a dash."));
    m_checkList->setBusy();
    m_inspection.post([this, request = request()](const std::stop_token& stop) -> LatestTask::Delivery {
        auto machine = std::make_shared<Result<RecordedMachine>>(inspectMachine(request, false, stop));
        if (stop.stop_requested())
            return {};
        return [this, machine] { showMachine(*machine); };
    });
}

void RecordDialog::showMachine(const Result<RecordedMachine>& machine)
{
    if (!machine) {
        m_checks.clear();
        m_commands->setCommands({});
        m_expected->clear();
        const QString host = m_host->text().trimmed();
        return m_checkList->setProblem(target() == Target::Host ? tr("%1 %2").arg(host, helio::text(machine.error().what))
                                                                : helio::text(machine.error().what));
    }
    m_machine = *machine;
    m_checks = checkRecording(machine->request, machine->facts, machine->plan);
    if (machine->request.target.command.empty() && target() == Target::Command)
        m_checks.insert(m_checks.begin(), {"command", RecordingCheck::Outcome::Failed, "Enter the command to record", {}});
    std::error_code ignored;
    if (std::filesystem::exists(machine->request.folder, ignored))
        m_checks.push_back({"folder", RecordingCheck::Outcome::Failed, "The folder exists", machine->request.folder.native()});
    m_checkList->setChecks(m_checks);
    QStringList commands;
    for (const std::string& line : shownCommands(machine->plan, machine->request.folder.native()))
        commands << helio::text(line);
    m_commands->setCommands(commands);
    const RecordingPreset& preset = machine->request.preset;
    const double rate = expectedBytesPerSecond(preset, machine->facts);
    m_expected->setText(rate > 0 ? tr("Expected if all CPUs are busy: %1 events/s, %2/s")
                                       .arg(QLocale().toString(preset.eventsPerSecond * std::max(1u, machine->facts.cpus), 'f', 0),
                                            helio::text(bytesText(rate)))
                                 : QString());
    m_record->setEnabled(isReady());
}

/// Shows the command line that makes the same recording.
void RecordDialog::showCommandLine()
{
    const RecordingRequest request = this->request();
    std::vector<std::string> words{"heliograph", "record", request.preset.id};
    if (!request.host.empty())
        words.insert(words.end(), {"--host", request.host});
    if (request.elevation != Elevation::None)
        words.emplace_back("--sudo");
    if (request.runsCommandAsRoot)
        words.emplace_back("--as-root");
    if (request.target.duration)
        words.insert(words.end(),
                     {"--for", std::to_string(std::chrono::duration_cast<std::chrono::seconds>(*request.target.duration).count()) + 's'});
    words.insert(words.end(), {"-o", request.folder.native()});
    if (!request.target.command.empty()) {
        words.emplace_back("--");
        words.insert(words.end(), request.target.command.begin(), request.target.command.end());
    }
    const QString line = helio::text(shellLine(words));
    m_commandLine->setProperty("command", line);
    const QString shown = line.size() > 64 ? line.left(62) + QStringLiteral(" \u2026") : line;
    m_commandLine->setText(tr("Same on the command line: %1").arg("<code>" + shown.toHtmlEscaped() + "</code>"));
    m_commandLine->setToolTip("<code>" + line.toHtmlEscaped() + "</code>");
}

void RecordDialog::showEvents()
{
    QStringList events;
    if (m_machine)
        for (const std::string& event : m_machine->plan.events)
            events << helio::text(event);
    QMessageBox box(QMessageBox::NoIcon, tr("Recorded events"),
                    events.isEmpty() ? tr("No events yet: the checks are running.") : events.join('\n'), QMessageBox::Close, this);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse);
    box.exec();
}

void RecordDialog::showScript()
{
    QDialog dialog(this);
    dialog.setWindowTitle(tr("Dry run"));
    dialog.resize(860, 620);
    auto* lines = new QVBoxLayout(&dialog);
    const bool isPossible = m_machine && isReady();
    auto* what = makeLabel(isPossible ? tr("Record would run this script. Nothing is recorded now.")
                                      : tr("Record would not start: a check fails. The script would be:"),
                           12, 400, "text.primary");
    lines->addWidget(what);
    auto* script = new CommandBox;
    if (m_machine)
        script->setText(helio::text(recordingScript(m_machine->plan, m_machine->request, m_machine->facts, false)));
    lines->addWidget(script, 1);
    auto* buttons = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy"));
    connect(copy, &QPushButton::clicked, &dialog, [script] { copyText(script->text()); });
    auto* close = new QPushButton(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, &dialog, &QDialog::accept);
    buttons->addStretch(1);
    buttons->addWidget(copy);
    buttons->addWidget(close);
    lines->addLayout(buttons);
    dialog.exec();
}

} // namespace helio
