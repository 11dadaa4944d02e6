#include "app/cli/selection/option_list.h"

#include <CLI/CLI.hpp>
#include <charconv>

namespace helio {

using Paths = std::vector<std::filesystem::path>;

CLI::Option& OptionList::inGroup(CLI::Option* option) { return *option->group(m_group); }

void OptionList::value(const char* name, std::string& target, const char* type, const std::string& what)
{
    inGroup(m_app.add_option(name, target, what)).type_name(type);
}
void OptionList::value(const char* name, std::filesystem::path& target, const char* type, const std::string& what)
{
    inGroup(m_app.add_option(name, target, what)).type_name(type);
}
void OptionList::value(const char* name, std::optional<std::int64_t>& target, const char* type, const std::string& what)
{
    inGroup(m_app.add_option(name, target, what)).type_name(type);
}
void OptionList::value(const char* name, double& target, const char* type, const std::string& what)
{
    inGroup(m_app.add_option(name, target, what)).type_name(type);
}
void OptionList::value(const char* name, unsigned& target, const char* type, const std::string& what)
{
    inGroup(m_app.add_option(name, target, what)).type_name(type);
}

void OptionList::flag(const char* name, bool& target, const std::string& what) { inGroup(m_app.add_flag(name, target, what)); }

void OptionList::repeated(const char* name, std::vector<std::string>& target, const char* type, const std::string& what)
{
    inGroup(m_app.add_option(name, target, what + " (repeatable)")).allow_extra_args(false)->option_text(type);
}
void OptionList::repeated(const char* name, Paths& target, const char* type, const std::string& what)
{
    inGroup(m_app.add_option(name, target, what + " (repeatable)")).allow_extra_args(false)->option_text(type);
}

void OptionList::list(const char* name, Paths& target, const char* type, const std::string& what)
{
    CLI::Option& option = inGroup(m_app.add_option(name, target, what));
    if (*type)
        option.option_text(type);
}

void OptionList::remainder(std::vector<std::string>& target, const std::string& what)
{
    inGroup(m_app.add_option(RemainderName, target, what)).option_text("...");
}

void OptionList::ignored(const char* name)
{
    m_app.add_option_function<std::string>(name, [](const std::string&) {})->group("");
}

Error makeUsageError(const std::string& option, const std::string& what) { return {Error::Kind::Usage, option + ": " + what}; }

std::optional<std::int64_t> readNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

} // namespace helio
