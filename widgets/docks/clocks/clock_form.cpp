#include "widgets/docks/clocks/clock_form.h"

#include "core/timesync/host_clocks.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/toggle_switch.h"
#include "widgets/docks/clocks/clock_text.h"
#include "widgets/docks/clocks/flow_layout.h"
#include "widgets/docks/clocks/offset_text.h"
#include "widgets/docks/clocks/unit_field.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/workspace/view_kind.h"

#include <QComboBox>
#include <QGridLayout>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int WideFrom = 430; ///< Minimum width in pixels for method and offset side by side.
constexpr int FieldWidth = 132;

/// True if there is a built-in view with this id. A view that lists messages has the kind of the messages as its id.
bool hasView(const QString& id)
{
    return std::ranges::any_of(builtinViews(), [&](const ViewKind* kind) { return id == QLatin1String(kind->id); });
}

} // namespace

ClockForm::ClockForm(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(makeLabel({}, 12, 600, "text.primary"))
    , m_method(new QComboBox)
    , m_offset(new UnitField(QStringLiteral("s")))
    , m_drift(new UnitField(QStringLiteral("ppm")))
    , m_hint(makeLabel({}, 11, 400, "text.hint"))
    , m_reference(new ToggleSwitch)
    , m_head(new QHBoxLayout)
    , m_grid(new QGridLayout)
    , m_again(new QPushButton(tr("Align again")))
    , m_packets(new QPushButton(QString()))
    , m_sameMoment(new QPushButton(tr("Match two events…")))
    , m_import(new QPushButton(tr("Import…")))
    , m_export(new QPushButton(tr("Export…")))
    , m_sentence(makeLabel({}, 11.5, 500, "text.primary"))
    , m_reason(makeLabel({}, 11.5, 400, "text.secondary"))
{
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(12, 6, 12, 12);
    lines->setSpacing(6);
    m_head->setSpacing(12);
    m_head->addWidget(m_title, 1);
    lines->addLayout(m_head);
    makeFields();
    lines->addLayout(m_grid);
    makeButtons();
    for (QLabel* text : {m_sentence, m_reason}) {
        text->setWordWrap(true);
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    lines->addWidget(m_sentence);
    lines->addWidget(m_reason);
    lines->addStretch(1);
    wire();
}

void ClockForm::makeFields()
{
    const QString names[] = {tr("Method"), tr("Offset"), tr("Drift"), tr("Reference")};
    QWidget* const fields[] = {m_method, m_offset, m_drift, m_reference};
    for (int i = 0; i < 4; ++i) {
        m_names[i] = makeLabel(names[i], 11.5, 400, "text.secondary");
        m_names[i]->setBuddy(fields[i]);
        fields[i]->setAccessibleName(names[i]);
    }
    m_method->addItem({});
    m_method->addItem(tr("By hand"));
    m_method->addItem(tr("Raw, as recorded"));
    m_method->setToolTip(tr("Source of the host's clock"));
    m_offset->setToolTip(tr("Added to the host's times: -0.387 s, 12 ms, 500 ns. Typing sets it by hand; Esc cancels"));
    m_drift->setToolTip(tr("How much faster (+) or slower (\u2212) its clock runs. Typing sets it by hand"));
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(6);
    layOut(false);
}

void ClockForm::layOut(bool isWide)
{
    if (std::exchange(m_isWide, int(isWide)) == int(isWide))
        return;
    struct GridCell {
        int row, column;
    };
    constexpr GridCell Narrow[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    constexpr GridCell Wide[] = {{0, 0}, {0, 2}, {1, 0}, {2, 0}};
    QWidget* const fields[] = {m_method, m_offset, m_drift};
    for (int i = 0; i < 4; ++i) {
        const auto [row, column] = isWide ? Wide[i] : Narrow[i];
        m_grid->addWidget(m_names[i], row, column);
        if (i == 3)
            break;
        m_grid->addWidget(fields[i], row, column + 1, Qt::AlignLeft);
        fields[i]->setFixedWidth(int(FieldWidth * fonts().scale()));
    }
    if (m_grid->parentWidget()) // A label without a parent would be shown as a window of its own.
        m_names[3]->setVisible(!isWide); // In the wide layout, the switch is beside the title and has a text of its own.
    if (isWide)
        m_head->addWidget(m_reference);
    else
        m_grid->addWidget(m_reference, Narrow[3].row, 1, 1, 4);
    m_grid->addWidget(m_hint, 1, 2, 1, 3);
    m_grid->setColumnStretch(4, 1);
}

void ClockForm::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut(width() >= int(WideFrom * fonts().scale()));
}

void ClockForm::makeButtons()
{
    m_again->setDefault(true); // The style draws the default button as the primary button.
    m_again->setToolTip(tr("Discard manual settings and restore the computed clock"));
    m_packets->setToolTip(tr("List what the hosts exchanged"));
    m_sameMoment->setToolTip(tr("Choose an event here, then the matching event on another host"));
    m_export->setToolTip(tr("Write the hosts' clocks to a file for --sync"));
    m_import->setToolTip(tr("Read the hosts' clocks from such a file"));
    auto* line = new FlowLayout(8, 6);
    for (QPushButton* button : {m_again, m_packets, m_sameMoment, m_export, m_import}) {
        button->setAutoDefault(false);
        line->addWidget(button);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(line);
    const auto icons = [this] {
        m_again->setIcon(themedIcon("clock", "accent.ink"));
        m_packets->setIcon(themedIcon("arrows"));
        m_export->setIcon(themedIcon("save"));
    };
    connect(&Themes::instance(), &Themes::changed, this, icons);
    icons();
}

void ClockForm::wire()
{
    ClockHistory& clocks = m_context.clocks();
    connect(m_method, &QComboBox::activated, this, &ClockForm::chooseMethod);
    connect(m_offset, &UnitField::typed, this, &ClockForm::typeOffset);
    connect(m_offset, &UnitField::finished, this, [this] { keep(tr("offset of %1").arg(name())); });
    connect(m_drift, &UnitField::typed, this, &ClockForm::typeDrift);
    connect(m_drift, &UnitField::finished, this, [this] { keep(tr("drift of %1").arg(name())); });
    for (UnitField* field : {m_offset, m_drift})
        connect(field, &UnitField::givenUp, this, [this, &clocks] {
            say({});
            clocks.dropPreview();
        });
    connect(m_reference, &QAbstractButton::clicked, this, [this, &clocks] {
        if (m_timeline)
            clocks.set(withReference(*m_timeline, clocks.choice(), m_clock.host), tr("reference %1").arg(name()));
    });
    connect(m_again, &QPushButton::clicked, this, &ClockForm::alignAgain);
    connect(m_packets, &QPushButton::clicked, this, [this] { m_context.showView(m_messages); });
    connect(m_sameMoment, &QPushButton::clicked, this, [this] { m_context.trigger(QStringLiteral("clocks.same-moment")); });
    connect(m_export, &QPushButton::clicked, this, [this] { m_context.trigger(QStringLiteral("clocks.export")); });
    connect(m_import, &QPushButton::clicked, this, [this] { m_context.trigger(QStringLiteral("clocks.import")); });
}

QString ClockForm::name() const { return QString::fromStdString(m_clock.name); }

ClockForm::Method ClockForm::methodNow() const
{
    const ClockOverride* given = givenOf(*m_timeline, m_context.clocks().choice(), m_clock.host);
    const bool isByOption = m_clock.method == ClockMethod::Manual; // True if an option of the command line set the offset.
    return given ? (given->line ? ByHand : Raw) : isByOption ? ByHand : Found;
}

void ClockForm::show(std::shared_ptr<const Timeline> timeline, const HostClockFacts& clock)
{
    m_timeline = std::move(timeline);
    m_clock = clock;
    const bool isReference = clock.host == m_timeline->reference;
    const bool canChange = m_timeline->appliesClocks && !isReference;
    const Method method = methodNow();
    m_title->setText(isReference ? tr("%1 is the reference").arg(name()) : tr("Alignment of %1").arg(name()));
    const bool hasFound = bestMessageMethod(*m_timeline, clock.host) != ClockMethod::None;
    m_messages = text(messagesOf(*m_timeline, bestMessageMethod(*m_timeline, clock.host)));
    m_method->setItemText(Found, tr("From %1").arg(m_messages.isEmpty() ? text(messagesPlural(*m_timeline)) : m_messages));
    m_method->setItemText(ByHand, clock.isFromFile ? tr("From a file") : tr("By hand"));
    m_packets->setText(tr("Show %1").arg(m_messages));
    m_packets->setVisible(hasView(m_messages));
    static_cast<QStandardItemModel*>(m_method->model())->item(Found)->setEnabled(hasFound || method == Found);
    m_method->setCurrentIndex(isReference || (method == Found && !hasFound) ? Raw : method);
    for (QWidget* field : {static_cast<QWidget*>(m_method), static_cast<QWidget*>(m_offset), static_cast<QWidget*>(m_drift)})
        field->setEnabled(canChange);
    const bool isExact = clock.method == ClockMethod::Manual;
    m_offset->setShown(secondsText(clock.offset, isExact || isReference ? Duration{} : clock.minError));
    m_drift->setShown(ppmText(-clock.line.driftPpm()));
    if (!m_offset->isTyping() && !m_drift->isTyping())
        say({});
    m_reference->setText(tr("Use the clock of %1 for the ruler").arg(name()));
    m_reference->setChecked(isReference);
    m_reference->setEnabled(m_timeline->appliesClocks && !isReference);
    m_again->setEnabled(m_timeline->appliesClocks && (isReference ? !m_context.clocks().choice().hosts.empty() : method != Found));
    m_sameMoment->setEnabled(m_timeline->appliesClocks && m_timeline->hosts.size() > 1);
    m_import->setEnabled(m_timeline->appliesClocks);
    m_sentence->setText(QString::fromStdString(sentenceOf(*m_timeline, clock)) + '.');
    m_reason->setText(clockReason(*m_timeline, clock, m_context.timeFormat()));
}

void ClockForm::chooseMethod(int method)
{
    ClockHistory& clocks = m_context.clocks();
    const std::uint32_t host = m_clock.host;
    if (!m_timeline)
        return;
    if (method == Found)
        clocks.set(withoutClockOverride(*m_timeline, clocks.choice(), host), tr("alignment of %1").arg(name()));
    else if (method == ByHand) // The current offset is the initial value for manual changes.
        clocks.set(shifted(*m_timeline, clocks.choice(), host, Duration{}), tr("clock of %1 by hand").arg(name()));
    else
        clocks.set(withRawTimes(*m_timeline, clocks.choice(), host), tr("raw times of %1").arg(name()));
}

void ClockForm::typeOffset(const QString& text)
{
    const auto offset = parseOffset(text);
    m_offset->setWrong(!offset);
    say(offset ? QString() : tr("Not a time. Example: -0.387 s"));
    if (!offset)
        m_context.clocks().dropPreview(); // The text is invalid, so the preview of an earlier value must end.
    else if (m_timeline)
        m_context.clocks().preview(withOffset(*m_timeline, m_context.clocks().choice(), m_clock.host, *offset));
}

void ClockForm::typeDrift(const QString& text)
{
    const auto gain = parseDrift(text);
    m_drift->setWrong(!gain);
    say(gain ? QString() : tr("Not a drift. Example: 41.2"));
    if (!gain)
        m_context.clocks().dropPreview();
    else if (m_timeline)
        m_context.clocks().preview(withGain(*m_timeline, m_context.clocks().choice(), m_clock.host, -*gain));
}

void ClockForm::keep(const QString& what)
{
    say({});
    m_context.clocks().keep(what);
}

/// Discards the clock that the user set for this host, so that the clock is computed again; for the reference host,
/// discards the clocks of all hosts.
void ClockForm::alignAgain()
{
    ClockHistory& clocks = m_context.clocks();
    if (!m_timeline)
        return;
    if (m_clock.host != m_timeline->reference)
        return clocks.set(withoutClockOverride(*m_timeline, clocks.choice(), m_clock.host), tr("alignment of %1").arg(name()));
    ClockSettings all = clocks.choice();
    all.hosts.clear();
    clocks.set(std::move(all), tr("alignment of all hosts"));
}

void ClockForm::say(const QString& problem)
{
    m_hint->setText(problem.isEmpty() ? tr("typing sets it by hand") : problem);
    m_hint->setToolTip(m_hint->text());
}

} // namespace helio
