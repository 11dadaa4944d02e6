#include "core/xml_analysis/output/any_values.h"

namespace helio::xml {

StateSetId AnyValues::addSet(const std::string& id, const std::string& title, bool showsText)
{
    StateSet set{id, {}, title};
    for (const char* type : {"int", "long", "double", "string"}) {
        StateKind kind{type, StateCategory::None, {}};
        kind.style.flags = StateFlag::ColoredByValue | StateFlag::NamedByValue;
        kind.style.flags |= showsText ? StateFlag::Labelled : 0;
        kind.style.valueTitle = "Value";
        set.states.push_back(std::move(kind));
    }
    const auto made = m_sink.stateSet(set);
    return made ? *made : StateSetId{};
}

std::optional<std::uint32_t> AnyValues::ofOther(const Value& value)
{
    if (value.isText())
        return AnyValue::of(AnyValue::Kind::Text, static_cast<std::uint32_t>(stringOf(value.text())));
    if (hasUserNotation(value))
        return ofText(m_texts.shown(value));
    const auto index = value.isInteger() ? m_sink.integer(value.integer()) : m_sink.real(value.real());
    if (!index || *index > AnyValue::MostIndex)
        return {};
    return AnyValue::of(value.isInteger() ? AnyValue::Kind::Integer : AnyValue::Kind::Real, *index);
}

std::uint32_t AnyValues::ofText(std::string_view text)
{
    return AnyValue::of(AnyValue::Kind::Text, static_cast<std::uint32_t>(m_sink.string(text)));
}

StringId AnyValues::stringOf(TextId text)
{
    if (text >= m_strings.size())
        m_strings.resize(std::max<std::size_t>(m_texts.count(), text + 1));
    auto& known = m_strings[text];
    if (!known)
        known = m_sink.string(m_texts[text]);
    return *known;
}

} // namespace helio::xml
