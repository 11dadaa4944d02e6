#include "widgets/profiling/missing_symbols_notice.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/flame/view/flame_part.h"
#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace helio {

namespace {

/// The notice mentions functions without symbols, and truncated stacks, only if they have at least 1 / LeastShare of the samples.
constexpr int LeastShare = 100;
constexpr std::size_t MostModules = 4;

} // namespace

MissingSymbolsNotice::MissingSymbolsNotice(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_samples(SampleModel::of(context))
    , m_text(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_close(new QToolButton)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_text->setWordWrap(true);
    layout->addWidget(m_text, 1);
    m_close->setFixedSize(18, 18);
    m_close->setToolTip(tr("Do not show this again for this trace"));
    m_close->setAccessibleName(tr("Close"));
    layout->addWidget(m_close, 0, Qt::AlignTop);
    // Queued, because the dialog may reopen the recording and thus change the label that was clicked.
    connect(
        m_text, &QLabel::linkActivated, this, [this] { m_context.trigger("file.symbols"); }, Qt::QueuedConnection);
    connect(m_close, &QToolButton::clicked, &m_samples, &SampleModel::setMissingSymbolsNoticeDismissed);
    connect(&m_samples, &SampleModel::shownChanged, this, &MissingSymbolsNotice::refresh);
    connect(&m_samples, &SampleModel::choicesChanged, this, &MissingSymbolsNotice::refresh);
    connect(&Themes::instance(), &Themes::changed, this, &MissingSymbolsNotice::updateLook);
    updateLook();
}

QString MissingSymbolsNotice::textOf(const MissingSymbols& nameless, std::uint64_t samples, bool ofCalls)
{
    if (nameless.sum.samples == 0 || nameless.sum.samples < samples / LeastShare)
        return {};
    QStringList modules;
    for (std::size_t i = 0; i < std::min(MostModules, nameless.modules.size()); ++i)
        modules << QString::fromStdString(nameless.modules[i]);
    if (nameless.modules.size() > MostModules)
        modules << tr("and %1 more").arg(nameless.modules.size() - MostModules);
    return (ofCalls ? tr("%1 of calls are of functions without symbols: %2.") : tr("%1 of samples are in functions without symbols: %2."))
        .arg(shareText(nameless.sum.samples, samples), modules.join(", "));
}

QString MissingSymbolsNotice::textOf(const TruncatedStacks& ends)
{
    if (ends.samples == 0 || ends.samples < ends.all / LeastShare)
        return {};
    QStringList reasons;
    for (const StackTruncation& end : ends.reasons)
        reasons << QString::fromStdString(phraseOf(end));
    return tr("%1 of stacks are truncated, so callers are missing: %2.").arg(shareText(ends.samples, ends.all), reasons.join("; "));
}

void MissingSymbolsNotice::refresh()
{
    const CollectedSamples& shown = m_samples.shown();
    QStringList texts;
    if (shown.profile && !m_samples.isMissingSymbolsNoticeDismissed())
        texts << textOf(shown.ends) << textOf(shown.nameless, shown.profile->samples, areCalls(shown.profile->kind));
    texts.removeAll(QString());
    const QString text = texts.join(u' ');
    setVisible(!text.isEmpty());
    m_text->setText(text.toHtmlEscaped() + QStringLiteral("&nbsp; ") + linkText("symbols", tr("Symbol paths\u2026")));
}

void MissingSymbolsNotice::updateLook()
{
    m_close->setIcon(themedIcon("close"));
    refresh();
}

} // namespace helio
