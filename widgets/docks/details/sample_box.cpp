#include "widgets/docks/details/sample_box.h"

#include "widgets/controls/field_grid.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/profiling/sample_model.h"

#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr std::size_t MostFrames = 40;

QString modeText(CodeMode mode)
{
    switch (mode) {
    case CodeMode::User: return SampleBox::tr("in user code");
    case CodeMode::Kernel: return SampleBox::tr("in the kernel");
    default: return SampleBox::tr("elsewhere");
    }
}

/// Returns a frame with its module, e.g. "initprm_ [matinit]". Names of modules that are not files already have brackets.
QString frameLine(const NamedSample::Frame& frame)
{
    QString place = frame.isInlined ? SampleBox::tr("inlined") : QString::fromStdString(frame.function.module);
    if (place.isEmpty() || (frame.function.name.empty() && !frame.isInlined))
        return frameLabel(frame.function);
    if (!place.startsWith(u'['))
        place = u'[' + place + u']';
    return frameLabel(frame.function) + QStringLiteral("  ") + place;
}

} // namespace

SampleBox::SampleBox(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(makeLabel({}, 13, 600, "text.primary"))
    , m_fields(new FieldGrid)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 14);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_fields);
    connect(m_fields, &FieldGrid::linkActivated, this, &SampleBox::openSource);
    hide();
}

void SampleBox::setSample(std::optional<NamedSample> sample, Timestamp cursor)
{
    m_sample = std::move(sample);
    m_cursor = cursor;
    setVisible(m_sample.has_value());
    refresh();
}

void SampleBox::refresh()
{
    if (!m_sample)
        return;
    const NamedSample& it = *m_sample;
    m_title->setText(tr("Sample %1").arg(modeText(it.mode)));
    m_fields->begin();
    m_fields->add(tr("Time"), timeText(it.time, m_context.timeFormat()));
    if (it.time != m_cursor)
        m_fields->add(tr("Nearest sample"),
                      it.time < m_cursor ? tr("%1 before cursor").arg(durationText(m_cursor - it.time))
                                         : tr("%1 after cursor").arg(durationText(it.time - m_cursor)));
    const std::size_t shown = std::min(it.stack.size(), MostFrames);
    for (std::size_t i = 0; i < shown; ++i) {
        const SampledFunction& function = it.stack[i].function;
        m_fields->add(i == 0       ? tr("Function")
                          : i == 1 ? tr("Called by")
                                   : QString(),
                      frameLine(it.stack[i]), 0, function.moduleId == UnknownModule ? QString() : QString::number(i));
    }
    if (shown < it.stack.size())
        m_fields->add({}, tr("%1 more callers").arg(countText(qint64(it.stack.size() - shown))));
    if (it.isCut)
        m_fields->add({}, tr("The outermost callers are missing."));
    if (it.stack.empty() && it.isRead)
        m_fields->add(tr("Function"), tr("not recorded"));
    m_fields->end();
}

void SampleBox::openSource(const QString& frame)
{
    if (const auto index = std::size_t(frame.toUInt()); m_sample && index < m_sample->stack.size())
        SampleModel::of(m_context).openSource(m_sample->stack[index].function);
}

} // namespace helio
