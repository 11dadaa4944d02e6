#include "core/sql/dialect/modules.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

namespace helio::sql {
namespace {

namespace fs = std::filesystem;

constexpr int MostDepth = 16; ///< Deepest folder of modules.

bool isNamePart(std::string_view part)
{
    const auto isAllowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    return !part.empty() && std::ranges::all_of(part, isAllowed);
}

/// Returns the file of a module, relative to a folder of modules; nullopt if no file can have that module.
std::optional<fs::path> pathOf(std::string_view name)
{
    fs::path path;
    int depth = 0;
    for (std::size_t begin = 0;;) {
        const std::size_t dot = name.find('.', begin);
        const std::string_view part = name.substr(begin, dot == std::string_view::npos ? dot : dot - begin);
        if (!isNamePart(part) || ++depth > MostDepth)
            return {};
        path /= part;
        if (dot == std::string_view::npos)
            return path += ".sql";
        begin = dot + 1;
    }
}

/// True if `path`, whose links are resolved, lies in `folder`.
bool isInside(const fs::path& path, const fs::path& folder) { return std::ranges::mismatch(folder, path).in1 == folder.end(); }

/// Adds the names of the modules in a folder to `names`. `prefix` is the begin of their names.
void addNames(const fs::path& folder, const std::string& prefix, int depth, std::set<std::string>& names)
{
    std::error_code failure;
    for (auto it = fs::directory_iterator(folder, failure); !failure && it != fs::directory_iterator(); it.increment(failure)) {
        if (names.size() >= ModuleLibrary::MostModules)
            return;
        std::error_code ignored;
        const std::string stem = it->path().stem().string();
        if (!isNamePart(stem) || it->is_symlink(ignored))
            continue;
        if (it->path().extension() == ".sql" && it->is_regular_file(ignored))
            names.insert(prefix + stem);
        else if (it->path().extension().empty() && it->is_directory(ignored) && depth < MostDepth)
            addNames(it->path(), prefix + stem + ".", depth + 1, names);
    }
}

} // namespace

Status ModuleLibrary::addFolder(const fs::path& folder)
{
    std::error_code failure;
    const fs::path canonical = fs::canonical(folder, failure);
    if (failure || !fs::is_directory(canonical, failure))
        return Error{Error::Kind::NotFound, "no such folder: " + folder.string()};
    m_folders.push_back(canonical);
    return Done{};
}

Result<std::string> ModuleLibrary::read(const std::string& name) const
{
    const auto relative = pathOf(name);
    for (const EmbeddedFile& module : builtinModules())
        if (relative && module.name == relative->native())
            return std::string(module.text);
    for (const fs::path& folder : m_folders) {
        std::error_code failure;
        if (!relative || !fs::exists(folder / *relative, failure))
            continue;
        const fs::path path = fs::canonical(folder / *relative, failure);
        if (failure || !isInside(path, folder))
            return Error{Error::Kind::Unreadable, "the file of the module " + name + " lies outside of " + folder.string()};
        if (!fs::is_regular_file(path, failure) || fs::file_size(path, failure) > MostBytes || failure)
            return Error{Error::Kind::Unreadable, "the module " + name + " is no file, or larger than 1 MiB"};
        std::ifstream file(path, std::ios::binary);
        std::string text(MostBytes + 1, '\0');
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(file.gcount()));
        if (!file.is_open() || file.bad())
            return Error{Error::Kind::Unreadable, "cannot read the module " + name};
        if (text.size() > MostBytes)
            return Error{Error::Kind::Unreadable, "the module " + name + " is larger than 1 MiB"};
        return text;
    }
    return Error{Error::Kind::NotFound, "no such module: " + name};
}

std::vector<std::string> ModuleLibrary::find(std::string_view pattern) const
{
    if (!pattern.ends_with('*'))
        return {std::string(pattern)};
    pattern.remove_suffix(1);
    std::set<std::string> names;
    for (const EmbeddedFile& module : builtinModules()) {
        std::string name(module.name.substr(0, module.name.size() - std::string_view(".sql").size()));
        std::ranges::replace(name, '/', '.');
        names.insert(std::move(name));
    }
    for (const fs::path& folder : m_folders)
        addNames(folder, {}, 1, names);
    std::erase_if(names, [pattern](const std::string& name) { return !name.starts_with(pattern); });
    return {names.begin(), names.end()};
}

} // namespace helio::sql
