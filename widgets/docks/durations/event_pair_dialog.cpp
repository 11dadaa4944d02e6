#include "widgets/docks/durations/event_pair_dialog.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <utility>

namespace helio {

namespace {

constexpr int EventWidth = 260;
constexpr int FieldWidth = 150;
constexpr int MostProposals = 12;

} // namespace

EventPairDialog::EventPairDialog(std::map<std::string, std::set<std::string>> events, const EventPairLatency& pair, QWidget* parent)
    : QDialog(parent)
    , m_events(std::move(events))
    , m_first(makeHalf(pair.first))
    , m_last(makeHalf(pair.last))
    , m_words(new QLabel)
{
    setWindowTitle(tr("Custom event pair"));
    auto* grid = new QGridLayout(this);
    auto* words = new QLabel(tr("Measure the time from a first event to the next second event whose field has the same value."));
    words->setWordWrap(true);
    grid->addWidget(words, 0, 0, 1, 3);
    grid->addWidget(new QLabel(tr("Event")), 1, 1);
    grid->addWidget(new QLabel(tr("Field")), 1, 2);
    for (const auto& [line, text, half] : {std::tuple(2, tr("From"), m_first), std::tuple(3, tr("To"), m_last)}) {
        grid->addWidget(new QLabel(text), line, 0);
        grid->addWidget(half.event, line, 1);
        grid->addWidget(half.field, line, 2);
    }
    grid->addWidget(m_words, 4, 0, 1, 3);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    grid->addWidget(buttons, 5, 0, 1, 3);
    m_first.event->setAccessibleName(tr("First event"));
    m_first.field->setAccessibleName(tr("Field of the first event"));
    m_last.event->setAccessibleName(tr("Second event"));
    m_last.field->setAccessibleName(tr("Field of the second event"));
    for (QComboBox* box : {m_first.event, m_first.field, m_last.event, m_last.field})
        box->setAccessibleDescription(box->accessibleName()); // On Linux, the name of a combo box is its choice.
    for (const auto& [half, other] : {std::pair(m_first, m_last), std::pair(m_last, m_first)}) {
        connect(half.event, &QComboBox::currentTextChanged, this, [this, half = half, other = other] {
            listFields(half, other);
            check();
        });
        connect(half.field, &QComboBox::currentTextChanged, this, &EventPairDialog::check);
    }
    check();
}

EventPairDialog::Half EventPairDialog::makeHalf(const EventField& chosen)
{
    const Half half{new QComboBox, new QComboBox};
    half.event->setEditable(true);
    half.event->setInsertPolicy(QComboBox::NoInsert);
    half.event->setMinimumWidth(EventWidth);
    half.field->setMinimumWidth(FieldWidth);
    for (const auto& [event, fields] : m_events)
        half.event->addItem(QString::fromStdString(event));
    half.event->completer()->setCompletionMode(QCompleter::PopupCompletion);
    half.event->completer()->setFilterMode(Qt::MatchContains);
    half.event->completer()->setMaxVisibleItems(MostProposals);
    half.event->setCurrentText(QString::fromStdString(chosen.event));
    listFields(half, half);
    half.field->setCurrentText(QString::fromStdString(chosen.field));
    return half;
}

/// Fills the list of fields. Selects the field with the same name as the field of the other event, if there is one.
void EventPairDialog::listFields(const Half& half, const Half& other)
{
    const QSignalBlocker blocker(half.field);
    const QString kept = half.field->currentText();
    half.field->clear();
    if (const auto found = m_events.find(half.event->currentText().toStdString()); found != m_events.end())
        for (const std::string& field : found->second)
            half.field->addItem(QString::fromStdString(field));
    for (const QString& wanted : {kept, other.field->currentText()})
        if (const int place = half.field->findText(wanted); place >= 0)
            return half.field->setCurrentIndex(place);
}

std::optional<EventField> EventPairDialog::fieldIn(const Half& half) const
{
    EventField it{half.event->currentText().toStdString(), half.field->currentText().toStdString()};
    const auto event = m_events.find(it.event);
    return event != m_events.end() && event->second.contains(it.field) ? std::optional(it) : std::nullopt;
}

std::optional<EventPairLatency> EventPairDialog::pair() const
{
    const auto first = fieldIn(m_first);
    const auto last = fieldIn(m_last);
    return first && last ? std::optional(EventPairLatency{*first, *last}) : std::nullopt;
}

void EventPairDialog::check()
{
    if (!m_ok)
        return;
    const auto both = pair();
    m_ok->setEnabled(both.has_value());
    m_words->setText(both ? QString::fromStdString(textOf(*both)) : tr("Type part of the events' names."));
}

} // namespace helio
