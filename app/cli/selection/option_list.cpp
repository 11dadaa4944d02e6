#include "app/cli/selection/option_list.h"

#include <CLI/CLI.hpp>

namespace helio {
namespace {

using Paths = std::vector<std::filesystem::path>;

template <typename Target> void add(CLI::App& app, const char* name, Target& target, const char* type, const std::string& what)
{
    app.add_option(name, target, what)->type_name(type);
}

template <typename Target> void addRepeated(CLI::App& app, const char* name, Target& target, const char* type, const std::string& what)
{
    app.add_option(name, target, what + "; give it once for each")->allow_extra_args(false)->option_text(type);
}

} // namespace

void OptionList::value(const char* name, std::string& target, const char* type, const std::string& what)
{
    add(m_app, name, target, type, what);
}
void OptionList::value(const char* name, std::filesystem::path& target, const char* type, const std::string& what)
{
    add(m_app, name, target, type, what);
}
void OptionList::value(const char* name, std::optional<std::int64_t>& target, const char* type, const std::string& what)
{
    add(m_app, name, target, type, what);
}
void OptionList::value(const char* name, double& target, const char* type, const std::string& what)
{
    add(m_app, name, target, type, what);
}
void OptionList::value(const char* name, unsigned& target, const char* type, const std::string& what)
{
    add(m_app, name, target, type, what);
}

void OptionList::flag(const char* name, bool& target, const std::string& what) { m_app.add_flag(name, target, what); }

void OptionList::repeated(const char* name, std::vector<std::string>& target, const char* type, const std::string& what)
{
    addRepeated(m_app, name, target, type, what);
}
void OptionList::repeated(const char* name, Paths& target, const char* type, const std::string& what)
{
    addRepeated(m_app, name, target, type, what);
}

void OptionList::list(const char* name, Paths& target, const char* type, const std::string& what)
{
    CLI::Option* const option = m_app.add_option(name, target, what);
    if (*type)
        option->option_text(type);
}

void OptionList::ignored(const char* name, const char* type, const std::string& what)
{
    m_app
        .add_option_function<std::string>(
            name, [](const std::string&) {}, what)
        ->type_name(type);
}

} // namespace helio
